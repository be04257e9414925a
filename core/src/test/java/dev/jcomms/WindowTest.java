package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.spi.Promise;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Core's part of windows; what moves between ranks is the conformance kit's to check. */
class WindowTest {
  private static final OpOptions OPTIONS = OpOptions.timeout(Duration.ofSeconds(7));

  private final Noting backend = new Noting();
  private final Tensor x = Tensor.ones(Shape.of(4));

  @Test
  void everyFormReachesTheBackendWithItsOptions() {
    try (Comm comm = Fakes.builder(Fakes.register(backend)).build();
        Window window = comm.newWindow()) {
      window.register(x, OPTIONS);
      window.put(x, 0, 0, OPTIONS);
      window.putAsync(x, 0, 0).await();
      window.get(x, 0, 0, OPTIONS);
      window.getAsync(x, 0, 0).await();
      window.accumulate(x, 0, 0, ReduceOp.SUM, OPTIONS);
      window.accumulateAsync(x, 0, 0, ReduceOp.SUM).await();
      window.signal(0, OPTIONS);
      window.signalAsync(0).await();
      window.awaitSignal(0, OPTIONS);
      window.awaitSignalAsync(0).await();
      window.flush(0, OPTIONS);
      window.flush(0);
      window.flushAsync(0).await();
      window.flushAsync(0, OPTIONS).await();
      window.fence(OPTIONS);
      window.fence();
      window.fenceAsync().await();
      window.fenceAsync(OPTIONS).await();
      assertThat(backend.calls)
          .containsExactly(
              "register 7",
              "put 7",
              "put 20",
              "get 7",
              "get 20",
              "accumulate 7",
              "accumulate 20",
              "signal 7",
              "signal 20",
              "await_signal 7",
              "await_signal 20",
              "flush 7",
              "flush 20",
              "flush 20",
              "flush 7",
              "fence 7",
              "fence 20",
              "fence 20",
              "fence 7");
    }
  }

  @Test
  void aStartedFenceIsDoneWhenTheBackendSaysSo() {
    Promise held = new Promise();
    backend.next = held;
    try (Comm comm = Fakes.builder(Fakes.register(backend)).build();
        Window window = comm.newWindow(x)) {
      Work fence = window.fenceAsync();
      assertThat(fence.isCompleted()).isFalse();
      held.complete();
      fence.await(Duration.ofSeconds(20));
    }
  }

  @Test
  void memoryIsNotTakenBackUnderAFence() throws Exception {
    Promise held = new Promise();
    backend.next = held;
    try (Comm comm = Fakes.builder(Fakes.register(backend)).build();
        Window window = comm.newWindow(x)) {
      window.fenceAsync();
      CountDownLatch begun = new CountDownLatch(1);
      Thread taker =
          Thread.ofPlatform()
              .start(
                  () -> {
                    begun.countDown();
                    window.deregister();
                  });
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(taker.join(Duration.ofMillis(50))).isFalse();
      assertThat(backend.calls).containsExactly("register 20", "fence 20");
      held.complete();
      assertThat(taker.join(Duration.ofSeconds(20))).isTrue();
      assertThat(backend.calls).containsExactly("register 20", "fence 20", "close");
    }
  }

  @Test
  void aFlushThatTheBackendForgetsIsTimedOutByCoreAndDoesNotPoison() {
    backend.next = new Promise();
    try (Comm comm = Fakes.builder(Fakes.register(backend)).build();
        Window window = comm.newWindow(x)) {
      assertThatThrownBy(() -> window.flush(0, OpOptions.timeout(Duration.ofMillis(30))))
          .isInstanceOf(CommTimeoutException.class)
          .hasMessageContaining("window flush on comm 'main' timed out after 0.030 s");
      assertThat(comm.isAborted()).isFalse();
      window.fence();
    }
  }

  @Test
  void anAbortEndsAFence() {
    backend.next = new Promise();
    Comm comm = Fakes.builder(Fakes.register(backend)).build();
    Window window = comm.newWindow(x);
    Work fence = window.fenceAsync();
    comm.abort("enough");
    assertThatThrownBy(() -> fence.await(Duration.ofSeconds(20)))
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("enough");
    window.close();
    comm.close();
  }

  /** A backend's window is closed also when nobody can come any more. */
  @Test
  void aDeregistrationTellsThatARankIsGoneAndAClosingDoesNot() {
    for (boolean throwsIt : new boolean[] {true, false}) {
      Noting backend = new Noting();
      try (Comm comm = Fakes.builder(Fakes.register(backend)).build()) {
        Window deregistered = comm.newWindow(x);
        Window closed = comm.newWindow(x);
        backend.loss = new PeerLostException(Set.of(0), "it was killed");
        backend.closingThrows = throwsIt;
        assertThatThrownBy(deregistered::deregister)
            .isInstanceOf(PeerLostException.class)
            .hasMessageContaining("window deregister on comm 'main' lost rank 0")
            .hasMessageContaining("it was killed");
        closed.close();
        assertThat(comm.isAborted()).isTrue();
      }
      assertThat(backend.calls).endsWith("close", "close");
    }
  }

  /** Notes what its window is asked, with the seconds of the timeout. */
  private static final class Noting implements WindowBackend {
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    Work next = Work.completed();
    volatile PeerLostException loss;
    boolean closingThrows;

    private Work note(String call, OpOptions options) {
      calls.add(call + " " + options.timeout().orElseThrow().toSeconds());
      Work work = next;
      next = Work.completed();
      return work;
    }

    @Override
    public Set<Class<? extends Collective>> supports() {
      return Set.of(Collective.Barrier.class);
    }

    @Override
    public Work submit(Collective op, OpOptions options) {
      return Work.completed();
    }

    @Override
    public RegisteredWindow register(Tensor tensor, OpOptions options) {
      calls.add("register " + options.timeout().orElseThrow().toSeconds());
      return new NotingWindow();
    }

    @Override
    public void requireAlive() {
      if (loss != null) {
        throw loss;
      }
    }

    @Override
    public void close() {}

    private final class NotingWindow implements RegisteredWindow {
      @Override
      public Work put(Tensor tensor, int dst, long offsetElements, OpOptions options) {
        return note("put", options);
      }

      @Override
      public Work get(Tensor tensor, int src, long offsetElements, OpOptions options) {
        return note("get", options);
      }

      @Override
      public Work accumulate(
          Tensor tensor, int dst, long offsetElements, ReduceOp op, OpOptions options) {
        return note("accumulate", options);
      }

      @Override
      public Work signal(int dst, OpOptions options) {
        return note("signal", options);
      }

      @Override
      public Work awaitSignal(int src, OpOptions options) {
        return note("await_signal", options);
      }

      @Override
      public Work flush(int dst, OpOptions options) {
        return note("flush", options);
      }

      @Override
      public Work fence(OpOptions options) {
        return note("fence", options);
      }

      @Override
      public Tensor mapRemote(int rank) {
        throw new AssertionError(rank);
      }

      @Override
      public Window.Attributes attributes(int rank) {
        return new Window.Attributes(Window.Access.SEPARATE, 4);
      }

      @Override
      public void close() {
        calls.add("close");
        if (closingThrows) {
          throw loss;
        }
      }
    }
  }
}
