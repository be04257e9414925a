package dev.jcomms.jccl.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks for what a group of blocks leaves undone: a chunk that some of its members write, each its
 * slice, and others do not.
 *
 * <p>Chunks are compared, not ops: of one member's ops two may have become one, and of another's
 * not.
 */
final class GroupMembers {
  /** A chunk in slices: whose, which, and in how many. */
  private record Sliced(int rank, BufferType buffer, int index, int chunks, int slices) {}

  /** Who writes it, and where the first of them does. */
  private record Writers(BitSet members, Place first) {}

  private GroupMembers() {}

  /** Of a plan whose references are sound. */
  static void of(Plan plan, SyncBalance.Report error) {
    for (RankPlan rank : plan.ranks()) {
      writers(rank)
          .forEach(
              (chunk, writers) -> {
                int lacking = writers.members().nextClearBit(0);
                if (lacking < chunk.slices()) {
                  error.add(
                      writers.first(),
                      "a group of %d blocks writes chunks %d to %d of rank %d's %s, and nobody is its"
                          + " member %d",
                      chunk.slices(),
                      chunk.index(),
                      chunk.index() + chunk.chunks(),
                      chunk.rank(),
                      chunk.buffer().name().toLowerCase(java.util.Locale.ROOT),
                      lacking);
                }
              });
    }
  }

  private static Map<Sliced, Writers> writers(RankPlan rank) {
    Map<Sliced, Writers> all = new LinkedHashMap<>();
    for (ThreadBlock block : rank.blocks()) {
      for (int i = 0; i < block.ops().size(); i++) {
        Place place = Place.op(rank.rank(), block.id(), i);
        if (block.ops().get(i) instanceof Op.Pipeline pipeline) {
          for (int j = 0; j < pipeline.ops().size(); j++) {
            add(all, rank, block, place.inside(j), pipeline.ops().get(j));
          }
        } else {
          add(all, rank, block, place, block.ops().get(i));
        }
      }
    }
    return all;
  }

  private static void add(
      Map<Sliced, Writers> all, RankPlan rank, ThreadBlock block, Place place, Op op) {
    if (!(op instanceof Op.Data data) || data.group().isNone()) {
      return;
    }
    Group group = data.group();
    List<Sliced> written = new ArrayList<>();
    for (Op.Access access : data.writes()) {
      switch (access.chunk()) {
        case Chunk.Local(BufferType buffer, int index, int chunks) ->
            written.add(new Sliced(rank.rank(), buffer, index, chunks, group.blocks()));
        case Chunk.Remote remote -> {
          RemoteBuffer to = rank.remoteBuffer(block, data.via().orElseThrow(), remote);
          written.add(
              new Sliced(to.rank(), to.buffer(), remote.index(), remote.chunks(), group.blocks()));
        }
        // What a switch op writes besides depends on whether it became one with its neighbour.
        case Chunk.Switch _ -> {}
      }
    }
    for (Sliced chunk : written) {
      all.computeIfAbsent(chunk, _ -> new Writers(new BitSet(), place))
          .members()
          .set(group.member());
    }
  }
}
