package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Ordering;
import java.util.List;

/**
 * A way from one rank to another through a proxy, which does what it is asked in order: for ranks
 * that do not see each other's memory. Made by {@link ProgramBuilder#portChannel}; belongs to the
 * thread that defines the program.
 *
 * <p>As with memory channels, all ops are done by {@link #from}, and the k-th channel from a to b
 * goes with the k-th from b to a.
 */
public final class PortChannel extends PeerChannel {
  PortChannel(Recorder recorder, int from, int to) {
    super(recorder, ChannelType.PORT, from, to);
  }

  /** Tells the other rank that what was asked of the proxy so far is done. */
  public void signal(On on) {
    checkOrdered("signal", on);
    doSignal(on);
  }

  /** Waits for one signal of the other rank. */
  public void await(On on) {
    checkOrdered("await", on);
    doAwait(on);
  }

  /** Waits until the proxy has done what it was asked. */
  public void flush(On on) {
    checkOrdered("flush", on);
    recorder.emitSync(what("flush"), from(), on, block -> new Op.Flush(List.of(ref(block))));
  }

  /** Has an own chunk copied to one of the other rank. */
  public void put(Chunk source, Chunk destination, On on) {
    doPut(what("put"), source, destination, Op.Put.Completion.NONE, on);
  }

  /** Has an own chunk copied to one of the other rank, and the other rank told. */
  public void putWithSignal(Chunk source, Chunk destination, On on) {
    putAndSignal("putWithSignal", source, destination, Op.Put.Completion.SIGNAL, on);
  }

  /** The same, and waits until the proxy has done both. */
  public void putWithSignalAndFlush(Chunk source, Chunk destination, On on) {
    putAndSignal(
        "putWithSignalAndFlush", source, destination, Op.Put.Completion.SIGNAL_AND_FLUSH, on);
  }

  private void putAndSignal(
      String op, Chunk source, Chunk destination, Op.Put.Completion then, On on) {
    if (on.isGroup()) {
      throw recorder.error("%s: one block does it, not a group of %s", what(op), on);
    }
    doPut(what(op), source, destination, then, on);
    recorder.signal(this);
  }

  /** Has packets of the own scratch copied to the other rank's scratch; does not wait for them. */
  public void putPackets(Chunk source, Chunk destination, On on) {
    doPutPackets(source, destination, on);
  }

  /** Waits for packets in the own scratch and has them copied to the other rank's scratch. */
  public void forwardPackets(Chunk source, Chunk destination, On on) {
    doForwardPackets(source, destination, on);
  }

  private void checkOrdered(String op, On on) {
    if (on.ordering() == Ordering.RELAXED) {
      throw recorder.error("%s: only memory channels can be relaxed", what(op));
    }
  }
}
