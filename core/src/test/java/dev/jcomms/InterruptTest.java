package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jcomms.Collective.AllReduce;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread is interrupted in a call: it fails for good, or not at all. */
class InterruptTest {
  private final FakeScript script = new FakeScript();
  private final Tensor x = Tensor.ones(Shape.of(4));

  /** How a call ended, and whether its thread was still interrupted then. */
  private record End(Throwable thrown, boolean flagged) {}

  private static End interrupted(Comm comm, Tensor tensor, long afterNanos) throws Exception {
    CompletableFuture<End> end = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  Throwable thrown = catchThrowable(() -> comm.allReduce(tensor, ReduceOp.SUM));
                  end.complete(new End(thrown, Thread.currentThread().isInterrupted()));
                });
    LockSupport.parkNanos(afterNanos);
    thread.interrupt();
    return end.get(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCallThatHangsEndsWithTheFlagSet(boolean queued) throws Exception {
    Comm comm = Fakes.alone(script);
    if (queued) {
      script.hangOnce(Collective.Broadcast.class);
      comm.broadcastAsync(x, 0);
    } else {
      script.hangOnce(AllReduce.class);
    }
    End end = interrupted(comm, x, 1_000_000);
    assertThat(end.thrown).isInstanceOf(CommAbortedException.class);
    assertThat(end.flagged).isTrue();
    assertThat(catchThrowable(comm::barrier)).isInstanceOf(CommAbortedException.class);
    comm.close();
  }

  /** Other ranks go on after what has ended well: who is told otherwise must not. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoeverIsToldThatACallFailedCannotGoOn(boolean queued) throws Exception {
    Random random = new Random(5);
    script.delay(AllReduce.class, Duration.ofNanos(100_000));
    int failed = 0;
    for (int i = 0; i < 1000; i++) {
      try (Comm comm = Fakes.alone(script)) {
        if (queued) {
          comm.allReduceAsync(x, ReduceOp.SUM);
        }
        End end = interrupted(comm, Tensor.ones(Shape.of(4)), 100_000 + random.nextInt(300_000));
        Throwable next = catchThrowable(comm::barrier);
        if (end.thrown == null) {
          assertThat(next).as("call %d", i).isNull();
        } else {
          assertThat(next).as("call %d", i).isInstanceOf(CommAbortedException.class);
          failed++;
        }
      }
    }
    assertThat(failed).isLessThan(1000);
  }
}
