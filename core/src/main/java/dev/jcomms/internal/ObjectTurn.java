package dev.jcomms.internal;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.spi.Promise;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One operation on values on its way: the operations on tensors behind it, in one turn of the lane
 * and under one number, so that nothing comes between them on any rank.
 */
final class ObjectTurn<T> implements Lane.Job {
  /** What follows the first operation. */
  interface Steps<T> {
    /**
     * Runs the other operations, and returns what makes the value of what they brought. Codecs are
     * users' code: they are called when others have the lane again.
     */
    Supplier<T> take(Consumer<Collective> run);
  }

  private final Communicator comm;
  private final String name;
  private final Operation first;
  private final Steps<T> rest;
  private long number;
  private Promise promise;
  private volatile Supplier<T> value;
  private volatile RuntimeException refusal;

  ObjectTurn(Communicator comm, String name, Operation first, Steps<T> rest) {
    this.comm = comm;
    this.name = name;
    this.first = first;
    this.rest = rest;
  }

  /** Performs it on this thread, which has the lane; throws what it failed with. */
  Supplier<T> perform(long number) {
    first.perform(number);
    return rest.take(op -> comm.operation(op, first.options()).perform(number));
  }

  @Override
  public void numbered(long number) {
    this.number = number;
    first.numbered(number); // for the record: it waits from now on
    promise = new Promise(comm.site(name, number));
  }

  @Override
  public Promise promise() {
    return promise;
  }

  @Override
  public Runnable run() {
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
  T value() {
    return value.get();
  }

  /** Why it was refused, if it was; the promise can only tell that it failed. */
  RuntimeException refusal() {
    return refusal;
  }

  /** The value to come, of a turn that is queued. */
  CompletableFuture<T> future() {
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
