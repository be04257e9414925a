package dev.jcomms.internal;

import dev.jcomms.CommException;
import dev.jcomms.spi.Promise;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Something with a value, on its way to its turn on the lane: an operation on values, or a request
 * for memory. A blocking call performs it on its own thread; otherwise the lane runs it.
 */
abstract class Turn<T> implements Lane.Job {
  private final Communicator comm;
  private final String name;
  private long number;
  private Promise promise;
  private volatile Supplier<T> value;
  private volatile RuntimeException refusal;

  Turn(Communicator comm, String name) {
    this.comm = comm;
    this.name = name;
  }

  final Communicator comm() {
    return comm;
  }

  final String name() {
    return name;
  }

  /**
   * Performs it on this thread, which has the lane, and throws what it failed with. What it returns
   * is asked when others have the lane again: codecs are users' code.
   */
  abstract Supplier<T> perform(long number);

  @Override
  public void numbered(long number) {
    this.number = number;
    promise = comm.promise(name, number);
  }

  @Override
  public final Promise promise() {
    return promise;
  }

  @Override
  public final Runnable run() {
    promise.start();
    try {
      value = perform(number);
      return promise::complete;
    } catch (RuntimeException e) {
      refusal = e instanceof CommException ? null : e;
      return () -> promise.fail(e);
    }
  }

  /** The value, once the promise is kept. */
  final T value() {
    return value.get();
  }

  /** Why it was refused, if it was; the promise can only tell that it failed. */
  final RuntimeException refusal() {
    return refusal;
  }

  /** The value to come, of a turn that is queued. */
  final CompletableFuture<T> future() {
    CompletableFuture<T> future = new CompletableFuture<>();
    promise.onEnd(
        () -> {
          try {
            if (refusal != null) {
              future.completeExceptionally(refusal);
            } else if (promise.failure().isPresent()) {
              future.completeExceptionally(promise.failure().get());
            } else {
              future.complete(value());
            }
          } catch (Throwable t) {
            future.completeExceptionally(t); // the codec's
          }
        });
    return future;
  }
}
