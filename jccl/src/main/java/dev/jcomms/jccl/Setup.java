package dev.jcomms.jccl;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/**
 * What an {@link Algorithm} has to work with on one rank: the other ranks, memory that it shares
 * with some of them, and arithmetic. Given to {@link Algorithm#prepare}, and good until the
 * communicator closes. One thread at a time: that of the preparation or operation under way.
 *
 * <p>Every wait here ends with the operation's deadline, with a lost rank or with an abort, by a
 * {@link dev.jcomms.CommException}.
 */
public interface Setup {
  int rank();

  int size();

  /** The ranks that share memory with this one, itself among them, in order. */
  List<Integer> host();

  /** What the preparation is for. */
  Selector.Request request();

  /** The value of one of the algorithm's launch parameters. */
  long parameter(String name);

  /**
   * Memory of zeros that all ranks of {@link #host()} see; it lives as long as the communicator.
   * Only in a preparation; collective over those ranks.
   */
  MemorySegment shared(long bytes);

  /** Sends a tensor to a rank, which receives it; messages between two ranks keep their order. */
  void send(Tensor tensor, int dst);

  /** Receives what a rank sends. */
  void recv(Tensor tensor, int src);

  /** Sends and receives at once: for patterns in which all ranks send first. */
  void sendRecv(Tensor out, int dst, Tensor in, int src);

  /** Waits for all ranks to come here. */
  void meet();

  /**
   * Writes the reduction of some tensors, folded from the first to the last in one pass, as if they
   * were all there is: an average divides by their number. An algorithm that folds in stages sums,
   * and refuses what sums do not make up.
   *
   * @param into of the terms' dtype and length; may be one of them
   */
  void reduce(Tensor into, List<Tensor> terms, ReduceOp op);

  /** What is left of the time for the operation under way. */
  Duration left();

  /**
   * Ends a wait on {@link #shared} memory that must not go on: to be called now and then in it.
   *
   * @throws dev.jcomms.CommException if the time is over, a rank is lost or the communicator was
   *     aborted
   */
  void check();
}
