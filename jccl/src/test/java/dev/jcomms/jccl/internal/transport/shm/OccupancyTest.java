package dev.jcomms.jccl.internal.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory stays while the thread that performs operations is in it. */
@Timeout(120)
final class OccupancyTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(60);
  private static final int ROUNDS = 2000;

  private final Occupancy occupancy = new Occupancy();

  @Test
  void whoIsOutsideHoldsNothingUp() {
    occupancy.enter();
    occupancy.leave();
    assertTrue(occupancy.close(0));
    assertThrows(IllegalStateException.class, occupancy::enter);
    assertTrue(occupancy.close(0), "who was refused is outside");
  }

  @Test
  void twoAtATimeAreRefused() {
    occupancy.enter();
    assertThrows(IllegalStateException.class, occupancy::enter);
    assertFalse(occupancy.close(0), "the first is still inside");
  }

  @Test
  void whoStaysIsNotWaitedForForEver() {
    occupancy.enter();
    assertFalse(occupancy.close(1));
  }

  @Test
  void theMemoryStaysUntilTheOneInsideLeaves() throws Exception {
    occupancy.enter();
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      CountDownLatch under = new CountDownLatch(1);
      Future<Boolean> closed =
          threads.submit(
              () -> {
                under.countDown();
                return occupancy.close(LONG);
              });
      under.await();
      assertThrows(TimeoutException.class, () -> closed.get(20, TimeUnit.MILLISECONDS));
      occupancy.leave();
      assertTrue(closed.get(60, TimeUnit.SECONDS));
    }
  }

  /** Closed at any moment of a thread that comes and goes without a fence. */
  @Test
  void nobodyIsInsideOnceItIsClosed() throws Exception {
    int refused = 0;
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      for (int round = 0; round < ROUNDS; round++) {
        Occupancy each = new Occupancy();
        AtomicBoolean gone = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Future<?> visits =
            threads.submit(
                () -> {
                  begun.countDown();
                  while (true) {
                    each.enter();
                    assertFalse(gone.get(), "the memory went while somebody was inside");
                    each.leave();
                  }
                });
        begun.await();
        assertTrue(each.close(LONG));
        gone.set(true);
        ExecutionException ended =
            assertThrows(ExecutionException.class, () -> visits.get(60, TimeUnit.SECONDS));
        refused += ended.getCause() instanceof IllegalStateException ? 1 : 0;
      }
    }
    assertEquals(ROUNDS, refused);
  }
}
