package dev.jcomms.fake;

import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.Promise;
import dev.jcomms.spi.SymmetricBackend;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One rank of the fake. */
final class FakeBackend implements AbortableBackend, SymmetricBackend {
  private final BackendContext context;
  private final FakeScript script; // null: none
  private final Promise aborted = new Promise();
  private final Arena memory = Arena.ofShared();

  FakeBackend(BackendContext context, FakeScript script) {
    this.context = context;
    this.script = script;
  }

  @Override
  public Set<Class<? extends Collective>> supports() {
    return Collective.kinds().stream()
        .filter(kind -> kind != Collective.MonitoredBarrier.class)
        .collect(Collectors.toSet());
  }

  @Override
  public Work submit(Collective op, OpOptions options) {
    if (script == null) {
      return Work.completed();
    }
    FakeScript.Fate fate =
        script.next(new FakeScript.Submitted(context.comm(), context.rank(), op, options));
    return switch (fate) {
      case null -> Work.completed();
      case FakeScript.Fate.Fails(var failure) -> throw failure.get();
      case FakeScript.Fate.Delays(Duration delay) -> later(delay);
      case FakeScript.Fate.NeverEnds() -> hang(options.timeout().orElseThrow());
    };
  }

  private Work later(Duration delay) {
    Promise promise = new Promise();
    promise.start();
    CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
        .execute(promise::complete);
    aborted.onEnd(() -> aborted.failure().ifPresent(promise::fail));
    return promise;
  }

  private Work hang(Duration timeout) {
    try {
      aborted.await(timeout);
    } catch (CommTimeoutException e) {
      throw new CommTimeoutException(timeout, "the fake never ends it", others());
    }
    throw new AssertionError("an abort always fails the promise");
  }

  private Set<Integer> others() {
    return java.util.stream.IntStream.range(0, context.size())
        .filter(r -> r != context.rank())
        .boxed()
        .collect(Collectors.toSet());
  }

  /**
   * Plain memory: it is not looked at by anybody else, but it lives and ends as symmetric memory.
   */
  @Override
  public Tensor symmetric(DType dtype, Shape shape, OpOptions options) {
    MemorySegment segment = memory.allocate(shape.elements() * dtype.bytes(), Storage.ALIGNMENT);
    return Tensor.over(Storage.host(segment, context.device(), null), dtype, shape);
  }

  @Override
  public void abort(String reason) {
    aborted.fail(new CommAbortedException(reason));
  }

  @Override
  public void close() {
    aborted.fail(new CommAbortedException("closed"));
    memory.close();
  }
}
