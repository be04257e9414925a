package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jcomms.fake.FakeScript;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hooks that call the communicator back, or break. */
@Timeout(60)
class CallsFromHooksTest {
  private final Tensor x = Tensor.ones(Shape.of(4));
  private final List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());

  private Hook after(Consumer<Comm> action) {
    return new Hook() {
      @Override
      public void after(Call call, Optional<RuntimeException> failure) {
        thrown.add(catchThrowable(() -> action.accept(call.comm())));
      }
    };
  }

  @Test
  void aCallThatWouldWaitForItselfIsRefusedAlsoWhereItsOperationHadQueued() throws Exception {
    try (Comm comm = Fakes.alone(new FakeScript())) {
      CountDownLatch queued = new CountDownLatch(1);
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              try {
                assertThat(queued.await(20, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
          });
      comm.addHook(after(Comm::barrier));
      comm.addHook(after(Comm::close));
      Work first = comm.allReduceAsync(x, ReduceOp.SUM);
      Work second = comm.broadcastAsync(x, 0);
      queued.countDown();
      first.await(Duration.ofSeconds(20));
      second.await(Duration.ofSeconds(20));
      assertThat(thrown).hasSize(4).hasOnlyElementsOfType(IllegalStateException.class);
    }
  }

  @Test
  void aReplayIsRefusedAsAnyCallIs() {
    try (Comm comm = Fakes.alone(new FakeScript());
        CommGraph graph = comm.capture(() -> comm.barrier())) {
      comm.addHook(after(_ -> graph.replay()));
      comm.allReduce(x, ReduceOp.SUM);
      assertThat(thrown).hasSize(1).hasOnlyElementsOfType(IllegalStateException.class);
    }
  }

  @Test
  void anErrorInAHookRefusesTheOperationAndNothingElse() {
    try (Comm comm = Fakes.oneOf(2, 0, new FakeScript())) {
      Registration broken =
          comm.addHook(
              new Hook() {
                @Override
                public void before(Call call) {
                  throw new AssertionError("not so");
                }
              });
      comm.addHook(after(_ -> {}));
      assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not so")
          .hasCauseInstanceOf(AssertionError.class);
      assertThat(thrown).as("ends of what had not begun").isEmpty();
      assertThat(comm.isAborted()).isFalse();
      broken.close();
      comm.allReduce(x, ReduceOp.SUM);
    }
  }
}
