package dev.jcomms.cli.plan;

import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.RemoteBuffer;
import dev.jcomms.jccl.plan.Schedule.Step;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.List;
import java.util.Locale;

/** An op in a line: {@code rank 0 block 1 op 5: put input[2] -> rank 1 scratch[0]}. */
final class Words {
  private Words() {}

  static String of(Plan plan, Step step) {
    RankPlan rank = plan.ranks().get(step.place().rank());
    ThreadBlock block = rank.blocks().get(step.place().block());
    String what =
        switch (step.op()) {
          case Op.Signal(var type, var refs, _) -> " to rank " + peers(rank, block, type, refs);
          case Op.Wait(var type, var refs, _) -> " for rank " + peers(rank, block, type, refs);
          case Op.Barrier(int id, int blocks) -> " %d of %d blocks".formatted(id, blocks);
          case Op.Acquire(var ids) -> " " + ids;
          case Op.Release(var ids) -> " " + ids;
          case Op.Data data ->
              " %s -> %s%s"
                  .formatted(
                      chunks(rank, block, data, data.reads()),
                      chunks(rank, block, data, data.writes()),
                      data.group().equals(Group.NONE)
                          ? ""
                          : ", slice %d of %d"
                              .formatted(data.group().member(), data.group().blocks()));
          default -> "";
        };
    return step.place() + ": " + step.op().name() + what;
  }

  private static String peers(
      RankPlan rank, ThreadBlock block, dev.jcomms.jccl.plan.ChannelType type, List<Integer> refs) {
    List<Integer> peers = rank.peers(type);
    return String.join(
        ", ",
        refs.stream()
            .map(ref -> String.valueOf(peers.get(block.channel(type, ref).orElseThrow())))
            .toList());
  }

  private static String chunks(
      RankPlan rank, ThreadBlock block, Op.Data op, List<Op.Access> accesses) {
    return String.join(
        ", ", accesses.stream().map(access -> chunk(rank, block, op, access.chunk())).toList());
  }

  private static String chunk(RankPlan rank, ThreadBlock block, Op.Data op, Chunk chunk) {
    String where =
        switch (chunk) {
          case Chunk.Local local -> name(local.buffer());
          case Chunk.Remote remote -> {
            RemoteBuffer buffer = rank.remoteBuffer(block, op.via().orElseThrow(), remote);
            yield "rank " + buffer.rank() + " " + name(buffer.buffer());
          }
          case Chunk.Switch group -> {
            RankPlan.SwitchChannel channel = rank.switchChannel(block, group);
            yield "ranks " + channel.ranks() + " " + name(channel.buffer());
          }
        };
    return chunk.chunks() == 1
        ? "%s[%d]".formatted(where, chunk.index())
        : "%s[%d..%d]".formatted(where, chunk.index(), chunk.index() + chunk.chunks() - 1);
  }

  private static String name(dev.jcomms.jccl.plan.BufferType buffer) {
    return buffer.name().toLowerCase(Locale.ROOT);
  }
}
