package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An operation that is told to end takes a moment: until then nobody is told that it has. */
class LastMomentsTest {
  private final Busy backend = new Busy();
  private final Tensor x = Tensor.ones(Shape.of(4));

  private Comm open() {
    return Fakes.builder(Fakes.register(new OneBackend(backend))).build();
  }

  @Test
  void workThatIsUnderWayEndsWhenItHasLeftTheBackend() throws Exception {
    Comm comm = open();
    Work work = comm.allReduceAsync(x, ReduceOp.SUM);
    backend.awaitInside();
    comm.abort("enough");
    assertThatThrownBy(() -> work.await(Duration.ofSeconds(20)))
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("enough");
    assertThat(backend.inside).isZero();
    comm.close();
  }

  @Test
  void aQueuedCallThatIsInterruptedEndsWhenItHasLeftTheBackend() throws Exception {
    Comm comm = open();
    comm.allReduceAsync(x, ReduceOp.SUM);
    backend.awaitInside();
    CompletableFuture<Integer> inside = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  Throwable thrown = catchThrowable(() -> comm.allReduce(x, ReduceOp.SUM));
                  inside.complete(thrown instanceof CommAbortedException ? backend.inside : -1);
                });
    awaitParked(caller); // it has queued behind the first
    backend.goOn.release();
    backend.awaitInside();
    caller.interrupt();
    assertThat(inside.get(20, TimeUnit.SECONDS)).isZero();
    comm.close();
  }

  private static void awaitParked(Thread thread) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(System.nanoTime()).as("%s waits", thread).isLessThan(deadline);
      Thread.sleep(1);
    }
  }

  /** Waits until it may go on, or is aborted; and then is not through at once. */
  private static final class Busy implements AbortableBackend {
    final Semaphore goOn = new Semaphore(0);
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch aborted = new CountDownLatch(1);
    volatile int inside;

    void awaitInside() throws InterruptedException {
      assertThat(entered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public Set<Class<? extends Collective>> supports() {
      return Set.of(Collective.AllReduce.class);
    }

    @Override
    public Work submit(Collective op, OpOptions options) {
      inside = 1;
      entered.release();
      try {
        while (!goOn.tryAcquire(5, TimeUnit.MILLISECONDS)) {
          if (aborted.getCount() == 0) {
            Thread.sleep(200);
            throw new CommAbortedException("enough");
          }
        }
        return Work.completed();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      } finally {
        inside = 0;
      }
    }

    @Override
    public void abort(String reason) {
      aborted.countDown();
    }

    @Override
    public void close() {}
  }
}
