package dev.jcomms.jccl.dsl;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.dsl.BlockDraft;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Chunk.Switch;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Form;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same buffer of several ranks, read and written as one: a read combines the chunks of all, a
 * write goes to all. Made by {@link ProgramBuilder#switchChannel}; belongs to the thread that
 * defines the program.
 */
public final class SwitchChannel {
  private final Recorder recorder;
  private final List<Integer> ranks;
  private final BufferType buffer;
  private final Map<Integer, Integer> ids = new LinkedHashMap<>();

  SwitchChannel(Recorder recorder, List<Integer> ranks, BufferType buffer) {
    this.recorder = recorder;
    this.ranks = List.copyOf(ranks);
    this.buffer = buffer;
    ranks.forEach(rank -> recorder.rank("switch channel", rank));
    if (ranks.isEmpty() || new HashSet<>(ranks).size() < ranks.size()) {
      throw recorder.error(
          "a switch channel cannot be of ranks %s; it has at least one, all different", ranks);
    }
    for (int rank : ranks) {
      ids.put(rank, recorder.rank("switch channel", rank).switchChannel(buffer, this.ranks));
    }
  }

  /** The channel as a rank uses it. */
  public At at(int rank) {
    if (!ids.containsKey(rank)) {
      throw recorder.error("rank %d is not one of the switch channel's ranks %s", rank, ranks);
    }
    return new At(rank);
  }

  /** What one rank does through a {@link SwitchChannel}. */
  public final class At {
    private final int rank;

    private At(int rank) {
      this.rank = rank;
    }

    /** The sum of all ranks' chunks from {@code index} on, to an own chunk. */
    public void reduce(int index, Chunk destination, On on) {
      reduce(ReduceOp.SUM, index, destination, on);
    }

    /** The chunks of all ranks from {@code index} on, combined, to an own chunk. */
    public void reduce(ReduceOp reduction, int index, Chunk destination, On on) {
      String what = what("reduce");
      Rank.checkReduction(recorder, what, reduction, ranks);
      check(what, destination, index);
      ranks.forEach(peer -> recorder.readsData(what, chunk(peer, index, destination)));
      recorder.writesData(what, destination);
      recorder.emitAlone(
          what,
          rank,
          on,
          block ->
              new Op.SwitchReduce(
                  reduction,
                  buffer,
                  index,
                  destination.chunks(),
                  recorder.local(what, rank, destination),
                  List.of(ref(block)),
                  Group.NONE));
    }

    /** An own chunk, to all ranks' chunks from {@code index} on. */
    public void broadcast(Chunk source, int index, On on) {
      String what = what("broadcast");
      check(what, source, index);
      recorder.readsData(what, source);
      ranks.forEach(peer -> recorder.writesData(what, chunk(peer, index, source)));
      store(what, source, index, Form.DATA, on);
    }

    /** Waits for packets in the own scratch and stores them in the scratch of all ranks. */
    public void broadcastPackets(Chunk source, int index, On on) {
      String what = what("broadcastPackets");
      recorder.checkPackets(what);
      if (buffer != BufferType.SCRATCH) {
        throw recorder.error("%s: packets are in scratch only", what);
      }
      check(what, source, index);
      recorder.readsPackets(what, source);
      for (int peer : ranks) {
        Chunk stored = chunk(peer, index, source);
        // Storing packets over themselves changes nothing.
        if (!stored.equals(source)) {
          recorder.writesPackets(what, stored);
        }
      }
      store(what, source, index, Form.PACKETS, on);
    }

    private void store(String what, Chunk source, int index, Form form, On on) {
      recorder.emitAlone(
          what,
          rank,
          on,
          block ->
              new Op.SwitchStore(
                  recorder.local(what, rank, source),
                  new Switch(ref(block), index, source.chunks()),
                  form,
                  Group.NONE));
    }

    private void check(String what, Chunk own, int index) {
      recorder.checkOwner(what, rank, own);
      for (int peer : ranks) {
        recorder.checkOwner(what, peer, chunk(peer, index, own));
      }
    }

    private Chunk chunk(int peer, int index, Chunk like) {
      return new Chunk(peer, buffer, index, like.chunks());
    }

    private int ref(BlockDraft block) {
      return block.channel(ChannelType.SWITCH, ids.get(rank));
    }

    private String what(String op) {
      return "%s of rank %d through the switch of ranks %s".formatted(op, rank, ranks);
    }
  }
}
