package dev.jcomms.jccl.dsl;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Op;
import java.util.List;

/**
 * A way from one rank to another through memory: blocks of {@link #from} read and write the buffers
 * of {@link #to} themselves. Made by {@link ProgramBuilder#memoryChannel}; belongs to the thread
 * that defines the program.
 *
 * <p>All ops of the channel are done by {@link #from}. Its signals are awaited on the channel back:
 * the first channel from a to b goes with the first from b to a, the second with the second.
 * Nothing but signals and packets orders what ranks do.
 */
public final class MemoryChannel extends PeerChannel {
  MemoryChannel(Recorder recorder, int from, int to) {
    super(recorder, ChannelType.MEMORY, from, to);
  }

  /** Tells the other rank that what was done so far is done. */
  public void signal(On on) {
    doSignal(on);
  }

  /** Waits for one signal of the other rank. */
  public void await(On on) {
    doAwait(on);
  }

  /** Copies an own chunk to one of the other rank. */
  public void put(Chunk source, Chunk destination, On on) {
    doPut(what("put"), source, destination, Op.Put.Completion.NONE, on);
  }

  /** Copies a chunk of the other rank to an own one. */
  public void get(Chunk source, Chunk destination, On on) {
    String what = what("get");
    recorder.checkOwner(what, to(), source);
    recorder.checkOwner(what, from(), destination);
    recorder.checkSizes(what, source, destination);
    recorder.readsData(what, source);
    recorder.writesData(what, destination);
    recorder.emit(
        what,
        from(),
        on,
        (block, group) ->
            new Op.Get(
                List.of(recorder.remote(this, block, source)),
                List.of(recorder.local(what, from(), destination)),
                List.of(ref(block)),
                group));
  }

  /** Copies an own chunk to the other rank's scratch, as packets. */
  public void putPackets(Chunk source, Chunk destination, On on) {
    doPutPackets(source, destination, on);
  }

  /** Waits for packets in the own scratch and copies them to the other rank's scratch. */
  public void forwardPackets(Chunk source, Chunk destination, On on) {
    doForwardPackets(source, destination, on);
  }

  /** Adds chunks of the other rank to an own one. */
  public void reduce(Chunk source, List<Chunk> remotes, On on) {
    reduce(ReduceOp.SUM, source, remotes, source, on);
  }

  /** The sum of an own chunk and of chunks of the other rank, to an own one. */
  public void reduce(Chunk source, List<Chunk> remotes, Chunk destination, On on) {
    reduce(ReduceOp.SUM, source, remotes, destination, on);
  }

  /** Combines an own chunk with chunks of the other rank, in order, to an own one. */
  public void reduce(
      ReduceOp reduction, Chunk source, List<Chunk> remotes, Chunk destination, On on) {
    String what = what("reduce");
    Rank.checkReduction(recorder, what, reduction, remotes);
    recorder.checkOwner(what, from(), source);
    recorder.checkOwner(what, from(), destination);
    recorder.checkSizes(what, source, destination);
    recorder.readsData(what, source);
    for (Chunk remote : remotes) {
      recorder.checkOwner(what, to(), remote);
      recorder.checkSizes(what, source, remote);
      recorder.readsData(what, remote);
    }
    recorder.writesData(what, destination);
    recorder.emit(
        what,
        from(),
        on,
        (block, group) -> {
          ref(block);
          return new Op.Reduce(
              reduction,
              List.of(recorder.local(what, from(), source)),
              remotes.stream().map(remote -> recorder.remote(this, block, remote)).toList(),
              recorder.local(what, from(), destination),
              List.of(),
              group);
        });
  }
}
