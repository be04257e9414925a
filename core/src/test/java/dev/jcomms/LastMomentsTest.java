package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operation that is told to end takes a moment: until then nobody is told that it has. */
@Timeout(60)
class LastMomentsTest {
  private final Tensor x = Tensor.ones(Shape.of(4));

  @Test
  void workThatIsUnderWayEndsWhenItHasLeftTheBackend() throws Exception {
    Occupied backend = new Occupied();
    Comm comm = backend.open();
    Work work = comm.allReduceAsync(x, ReduceOp.SUM);
    backend.awaitInside();
    comm.abort("enough");
    assertThatThrownBy(() -> work.await(Duration.ofSeconds(20)))
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("enough");
    assertThat(backend.inside).hasValue(0);
    comm.close();
  }

  /** A call, how it ends, and whether the backend had it then. */
  private CompletableFuture<Integer> insideAfterTheCall(Occupied backend, Comm comm) {
    CompletableFuture<Integer> inside = new CompletableFuture<>();
    caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  Throwable thrown = catchThrowable(() -> comm.allReduce(x, ReduceOp.SUM));
                  inside.complete(
                      thrown instanceof CommAbortedException ? backend.inside.get() : -1);
                });
    return inside;
  }

  private Thread caller;

  @Test
  void aQueuedCallThatIsInterruptedEndsWhenItHasLeftTheBackend() throws Exception {
    Occupied backend = new Occupied();
    Comm comm = backend.open();
    comm.allReduceAsync(x, ReduceOp.SUM);
    backend.awaitInside();
    CompletableFuture<Integer> inside = insideAfterTheCall(backend, comm);
    Parked.await(caller); // it has queued behind the first
    backend.release(Collective.AllReduce.class);
    backend.awaitInside();
    caller.interrupt();
    assertThat(inside.get(20, TimeUnit.SECONDS)).isZero();
    comm.close();
  }

  @Test
  void aCallWhoseBackendGoesOnByItselfEndsWhenThatHas() throws Exception {
    Occupied backend = new Occupied(true);
    Comm comm = backend.open();
    CompletableFuture<Integer> inside = insideAfterTheCall(backend, comm);
    backend.awaitInside();
    Parked.await(caller);
    caller.interrupt();
    assertThat(inside.get(20, TimeUnit.SECONDS)).isZero();
    comm.close();
  }

  @Test
  void aBackendIsNotClosedUnderAnOperationBecauseTheCloserIsInterrupted() throws Exception {
    Occupied backend = new Occupied();
    Comm comm = backend.open();
    comm.allReduceAsync(x, ReduceOp.SUM);
    backend.awaitInside();
    Thread.currentThread().interrupt();
    comm.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(backend.wasAborted).isTrue();
    assertThat(backend.insideAtClose).isZero();
  }
}
