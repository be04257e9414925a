package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Plans between hosts have windows of their own, which are not taken for a user's. */
final class PlansAndWindowsTest {
  private static final OpOptions PACKETS = OpOptions.hint("algorithm", "packets_2");

  /** A registration has its turn: what is called meanwhile, on whichever thread, comes after it. */
  @Test
  void aPlanIsPreparedWhenAWindowIsRegistered() {
    CountDownLatch called = new CountDownLatch(1);
    FaceRanks.run(
        2,
        Jccl.with(AlgorithmCollection.defaults().with(Algorithms.ofPlan(Sample.packets(2)))),
        Map.of("transport", "tcp"),
        comm -> {
          Tensor memory = Tensor.full(Shape.of(8), -1);
          Tensor x = Tensor.full(Shape.of(64), comm.rank() + 1);
          CompletableFuture<Window> registering;
          Work sum;
          if (comm.rank() == 1) {
            registering = begin(comm, memory);
            sum = comm.allReduceAsync(x, ReduceOp.SUM, PACKETS);
            called.countDown();
          } else {
            called.await();
            registering = CompletableFuture.completedFuture(comm.newWindow(memory));
            sum = comm.allReduceAsync(x, ReduceOp.SUM, PACKETS);
          }
          sum.await();
          assertThat(x.toFloatArray()).containsOnly(3);
          Window window = registering.get(FaceRanks.DEADLINE.toSeconds(), TimeUnit.SECONDS);
          window.put(Tensor.full(Shape.of(8), comm.rank()), 1 - comm.rank(), 0);
          window.fence();
          assertThat(memory.toFloatArray()).containsOnly(1 - comm.rank());
          window.close();
        });
  }

  /** Registers a window; when this returns it waits for the others. */
  private static CompletableFuture<Window> begin(Comm comm, Tensor memory) {
    AtomicReference<Thread> thread = new AtomicReference<>();
    CompletableFuture<Window> registering =
        CompletableFuture.supplyAsync(
            () -> {
              thread.set(Thread.currentThread());
              return comm.newWindow(memory);
            },
            task -> Thread.ofPlatform().daemon().start(task));
    long start = System.nanoTime();
    while (thread.get() == null || !waits(thread.get())) {
      assertThat(System.nanoTime() - start).isLessThan(FaceRanks.DEADLINE.toNanos());
      Thread.yield();
    }
    return registering;
  }

  private static boolean waits(Thread thread) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING -> true;
      default -> false;
    };
  }
}
