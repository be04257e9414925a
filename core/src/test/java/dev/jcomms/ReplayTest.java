package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jcomms.fake.FakeScript;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replay is a call like any other: it ends when its tensors are the caller's again. */
@Timeout(60)
class ReplayTest {
  private final Tensor x = Tensor.ones(Shape.of(4));

  @Test
  void anInterruptEndsItForGood() throws Exception {
    Occupied backend = new Occupied(true);
    Comm comm = backend.open();
    CommGraph graph = comm.capture(() -> comm.allReduce(x, ReduceOp.SUM));
    CompletableFuture<Integer> inside = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  Throwable thrown = catchThrowable(graph::replay);
                  inside.complete(
                      thrown instanceof CommAbortedException ? backend.inside.get() : -1);
                });
    backend.awaitInside();
    Parked.await(caller);
    caller.interrupt();
    assertThat(inside.get(20, TimeUnit.SECONDS)).isZero();
    assertThat(comm.isAborted()).isTrue();
    comm.close();
  }

  @Test
  void aHooksRefusalReachesTheCaller() {
    try (Comm comm = Fakes.alone(new FakeScript());
        CommGraph graph = comm.capture(() -> comm.allReduce(x, ReduceOp.SUM))) {
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              throw new SecurityException("not today");
            }
          });
      assertThatThrownBy(graph::replay)
          .isInstanceOf(SecurityException.class)
          .hasMessage("not today");
      assertThatThrownBy(() -> graph.replayAsync().await()).hasMessageContaining("not today");
    }
  }

  /** The lane's thread may not touch it, however busy the lane is. */
  @Test
  void memoryOfOneThreadStaysWithIt() throws Exception {
    FakeScript script = new FakeScript().delay(Collective.Broadcast.class, Duration.ofMillis(300));
    List<Thread> performers = Collections.synchronizedList(new ArrayList<>());
    try (Arena arena = Arena.ofConfined();
        Comm comm = Fakes.alone(script)) {
      Tensor own = Tensor.wrap(arena.allocate(16, 4), DType.F32, Shape.of(4));
      CommGraph graph = comm.capture(() -> comm.allReduce(own, ReduceOp.SUM));
      comm.addHook(
          new Hook() {
            @Override
            public void replay(Comm of, CommGraph replayed) {
              performers.add(Thread.currentThread());
            }
          });
      Work before = comm.broadcastAsync(x, 0);
      graph.replay();
      before.await();
      assertThat(performers).containsExactly(Thread.currentThread());
      assertThatThrownBy(graph::replayAsync)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("belongs to one thread");
      assertThat(comm.isAborted()).isFalse();
    }
  }

  @Test
  void itCannotBeRecorded() {
    try (Comm comm = Fakes.alone(new FakeScript());
        CommGraph graph = comm.capture(() -> comm.allReduce(x, ReduceOp.SUM))) {
      assertThatThrownBy(() -> comm.capture(graph::replay))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("replay inside a capture");
    }
  }
}
