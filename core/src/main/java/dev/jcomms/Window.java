package dev.jcomms;

import dev.jcomms.tensor.Tensor;

/**
 * Memory of every rank that the others read and write without its help. Made by {@link
 * Comm#newWindow}.
 *
 * <p>{@link #register} and {@link #deregister} are collective over the communicator, and a
 * registration has its turn among the communicator's operations; everything else is one-sided. A
 * put, get or accumulate is complete at the target after {@link #flush} or {@link #fence}, or once
 * a later {@link #signal} to that target was awaited there. Offsets count elements of the target's
 * tensor. Any thread may use it. Every operation has a blocking form and an {@code …Async} form;
 * both take {@link OpOptions} as an optional last argument.
 *
 * <p>Out of bounds or another dtype: {@link IllegalArgumentException}; use before registration, or
 * registering twice: {@link IllegalStateException}.
 */
public interface Window extends AutoCloseable {

  /** How a rank's part of the window can be reached from here. */
  enum Access {
    /** Loads and stores reach it: {@link Window#mapRemote} works. */
    UNIFIED,
    /** Only the window's operations reach it. */
    SEPARATE
  }

  /** What is known of a rank's part of a window. */
  record Attributes(Access access, long elements) {}

  /** Gives this rank's tensor to the window. Collective. */
  default void register(Tensor tensor) {
    register(tensor, OpOptions.DEFAULT);
  }

  /** Gives this rank's tensor to the window. Collective. */
  void register(Tensor tensor, OpOptions options);

  /** Takes the tensor back, once all ranks have come. Collective. */
  void deregister();

  /** Writes the tensor into {@code dst}'s part at an offset. */
  default void put(Tensor tensor, int dst, long offsetElements) {
    putAsync(tensor, dst, offsetElements, OpOptions.DEFAULT).await();
  }

  /** Writes the tensor into {@code dst}'s part at an offset. */
  default void put(Tensor tensor, int dst, long offsetElements, OpOptions options) {
    putAsync(tensor, dst, offsetElements, options).await();
  }

  /**
   * Writes the tensor into {@code dst}'s part at an offset; the work ends when the tensor may be
   * used again.
   */
  default Work putAsync(Tensor tensor, int dst, long offsetElements) {
    return putAsync(tensor, dst, offsetElements, OpOptions.DEFAULT);
  }

  /**
   * Writes the tensor into {@code dst}'s part at an offset; the work ends when the tensor may be
   * used again.
   */
  Work putAsync(Tensor tensor, int dst, long offsetElements, OpOptions options);

  /** Reads {@code src}'s part at an offset into the tensor. */
  default void get(Tensor tensor, int src, long offsetElements) {
    getAsync(tensor, src, offsetElements, OpOptions.DEFAULT).await();
  }

  /** Reads {@code src}'s part at an offset into the tensor. */
  default void get(Tensor tensor, int src, long offsetElements, OpOptions options) {
    getAsync(tensor, src, offsetElements, options).await();
  }

  /** Reads {@code src}'s part at an offset into the tensor. */
  default Work getAsync(Tensor tensor, int src, long offsetElements) {
    return getAsync(tensor, src, offsetElements, OpOptions.DEFAULT);
  }

  /** Reads {@code src}'s part at an offset into the tensor. */
  Work getAsync(Tensor tensor, int src, long offsetElements, OpOptions options);

  /**
   * Combines the tensor into {@code dst}'s part at an offset; atomic per element among accumulates
   * of one op.
   */
  default void accumulate(Tensor tensor, int dst, long offsetElements, ReduceOp op) {
    accumulateAsync(tensor, dst, offsetElements, op, OpOptions.DEFAULT).await();
  }

  /**
   * Combines the tensor into {@code dst}'s part at an offset; atomic per element among accumulates
   * of one op.
   */
  default void accumulate(
      Tensor tensor, int dst, long offsetElements, ReduceOp op, OpOptions options) {
    accumulateAsync(tensor, dst, offsetElements, op, options).await();
  }

  /**
   * Combines the tensor into {@code dst}'s part at an offset; atomic per element among accumulates
   * of one op.
   */
  default Work accumulateAsync(Tensor tensor, int dst, long offsetElements, ReduceOp op) {
    return accumulateAsync(tensor, dst, offsetElements, op, OpOptions.DEFAULT);
  }

  /**
   * Combines the tensor into {@code dst}'s part at an offset; atomic per element among accumulates
   * of one op.
   */
  Work accumulateAsync(Tensor tensor, int dst, long offsetElements, ReduceOp op, OpOptions options);

  /** Raises a signal at {@code dst}, after everything this rank has put there before. */
  default void signal(int dst) {
    signalAsync(dst, OpOptions.DEFAULT).await();
  }

  /** Raises a signal at {@code dst}, after everything this rank has put there before. */
  default void signal(int dst, OpOptions options) {
    signalAsync(dst, options).await();
  }

  /** Raises a signal at {@code dst}, after everything this rank has put there before. */
  default Work signalAsync(int dst) {
    return signalAsync(dst, OpOptions.DEFAULT);
  }

  /** Raises a signal at {@code dst}, after everything this rank has put there before. */
  Work signalAsync(int dst, OpOptions options);

  /** Waits for one signal of {@code src} and consumes it: signals count. */
  default void awaitSignal(int src) {
    awaitSignalAsync(src, OpOptions.DEFAULT).await();
  }

  /** Waits for one signal of {@code src} and consumes it: signals count. */
  default void awaitSignal(int src, OpOptions options) {
    awaitSignalAsync(src, options).await();
  }

  /** Consumes one signal of {@code src} when it comes. */
  default Work awaitSignalAsync(int src) {
    return awaitSignalAsync(src, OpOptions.DEFAULT);
  }

  /** Consumes one signal of {@code src} when it comes. */
  Work awaitSignalAsync(int src, OpOptions options);

  /** Returns when everything this rank has put to {@code dst} is in place there. */
  default void flush(int dst) {
    flushAsync(dst, OpOptions.DEFAULT).await();
  }

  /** Returns when everything this rank has put to {@code dst} is in place there. */
  default void flush(int dst, OpOptions options) {
    flushAsync(dst, options).await();
  }

  /** Ends when everything this rank has put to {@code dst} is in place there. */
  default Work flushAsync(int dst) {
    return flushAsync(dst, OpOptions.DEFAULT);
  }

  /** Ends when everything this rank has put to {@code dst} is in place there. */
  Work flushAsync(int dst, OpOptions options);

  /** Returns when everything all ranks have put is in place everywhere. Collective. */
  default void fence() {
    fenceAsync(OpOptions.DEFAULT).await();
  }

  /** Returns when everything all ranks have put is in place everywhere. Collective. */
  default void fence(OpOptions options) {
    fenceAsync(options).await();
  }

  /**
   * Ends when everything all ranks had put before they called it is in place everywhere.
   * Collective.
   */
  default Work fenceAsync() {
    return fenceAsync(OpOptions.DEFAULT);
  }

  /**
   * Ends when everything all ranks had put before they called it is in place everywhere.
   * Collective.
   */
  Work fenceAsync(OpOptions options);

  /**
   * A tensor over the peer's memory.
   *
   * @throws UnsupportedOperationException where memory is not shared with that rank
   */
  Tensor mapRemote(int rank);

  /** How a rank's part can be reached, and how large it is. */
  Attributes attributes(int rank);

  /**
   * Deregisters where that was not done, and frees the window. Waits for the other ranks as {@link
   * #deregister} does, but not for ranks that are gone; when this returns or throws, nobody touches
   * the tensor any more. Idempotent.
   */
  @Override
  void close();
}
