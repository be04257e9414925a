package dev.jcomms.jccl.internal.exec;

import static dev.jcomms.jccl.dsl.On.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.internal.JcclBackend;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Standings;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A rank gives up while another is half way through with its tensors, as {@code DirectFailureTest}
 * has it for jccl's own algorithms.
 */
final class PlanFailureTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int RANKS = 3;
  private static final int HASTY = 0;
  private static final int SLOW = 1;
  private static final int HELPER = 2;
  private static final int HALF = 4096;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final MemorySegment[] inputs = new MemorySegment[RANKS];
  private final MemorySegment[] outputs = new MemorySegment[RANKS];
  private final CountDownLatch halfWay = new CountDownLatch(1);
  private final CountDownLatch signalled = new CountDownLatch(1);
  private final CountDownLatch known = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile Thread hasty;

  /** Whether the slow rank's first half is done. */
  private volatile BooleanSupplier hasCome;

  PlanFailureTest() {
    for (int r = 0; r < RANKS; r++) {
      inputs[r] = Arena.ofAuto().allocate(2 * HALF, 64).fill((byte) (r + 1));
      outputs[r] = Arena.ofAuto().allocate(2 * HALF, 64);
    }
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    over.countDown();
    threads.shutdownNow();
  }

  /**
   * The slow rank reads from the hasty one, or writes to it; then, once the helper says so, again.
   */
  private static Plan plan(boolean reads) {
    return CollectiveProgram.define(
            ProgramSpec.test("twice", RANKS, 2, 2),
            p -> {
              Mesh mesh = p.memoryMesh();
              for (int half = 0; half < 2; half++) {
                if (half == 1) {
                  mesh.link(HELPER, SLOW).signal(on(0));
                  mesh.link(SLOW, HELPER).await(on(0).syncAfter());
                }
                if (reads) {
                  mesh.link(SLOW, HASTY)
                      .get(
                          p.rank(HASTY).input().chunk(half),
                          p.rank(SLOW).output().chunk(half),
                          on(0));
                } else {
                  mesh.link(SLOW, HASTY)
                      .put(
                          p.rank(SLOW).input().chunk(half),
                          p.rank(HASTY).output().chunk(half),
                          on(0));
                }
              }
            })
        .plan();
  }

  private Future<?> start(Plan plan, int rank, HashStore store) {
    return threads.submit(
        () -> {
          try (JcclBackend backend =
              JcclBackend.open(Trial.context(rank, RANKS, store, Map.of(), PATIENCE))) {
            PreparedPlan prepared = backend.executor().prepare(plan, 2 * HALF, PATIENCE);
            if (rank == HASTY) {
              hasty = Thread.currentThread();
            } else if (rank == HELPER) {
              await(halfWay);
            }
            Deadline deadline = rank == SLOW ? slowly() : backend.deadline(PATIENCE);
            prepared.run(inputs[rank], outputs[rank], DType.I32, PacketType.LL16, deadline);
            if (rank == HELPER) {
              signalled.countDown();
              awaitFailure(backend);
              known.countDown();
              await(over);
            }
          }
          return null;
        });
  }

  /** A deadline of who is held up when it has come half way, and hears of nothing meanwhile. */
  private Deadline slowly() {
    Alarm deaf = new Alarm(0);
    deaf.watch(
        () -> {
          if (hasCome.getAsBoolean()) {
            halfWay.countDown();
            await(goOn);
          }
        });
    return new Deadline(PATIENCE, deaf);
  }

  private static byte first(MemorySegment of) {
    return (byte) ValueLayout.JAVA_BYTE.varHandle().getVolatile(of, 0L);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns when a rank has told the others that it has failed. */
  private static void awaitFailure(JcclBackend backend) throws InterruptedException {
    for (long end = System.nanoTime() + PATIENCE.toNanos(); System.nanoTime() < end; ) {
      try {
        backend.requireAlive();
      } catch (CommException e) {
        return;
      }
      Thread.sleep(1);
    }
    throw new AssertionError("no rank has failed");
  }

  private static void assertAborted(Future<?> rank) {
    assertThatThrownBy(() -> rank.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CommAbortedException.class)
        .hasMessageContaining("the thread was interrupted");
  }

  @Test
  void whoReadsWhatTheOwnerHasTakenBackFails() throws Exception {
    hasCome = () -> first(outputs[SLOW]) == HASTY + 1;
    try (HashStore store = HashStore.create()) {
      Plan plan = plan(true);
      Future<?> owner = start(plan, HASTY, store);
      Future<?> reader = start(plan, SLOW, store);
      start(plan, HELPER, store);
      await(signalled);
      hasty.interrupt();
      assertAborted(owner);
      inputs[HASTY].fill((byte) -1);
      goOn.countDown();
      assertAborted(reader);
    }
  }

  /** What another has begun to write when a call fails, it ends before the call does. */
  @Test
  void nobodyWritesIntoATensorAfterItsOwnersCallHasFailed() throws Exception {
    hasCome = () -> first(outputs[HASTY]) == SLOW + 1;
    try (HashStore store = HashStore.create()) {
      Plan plan = plan(false);
      Future<?> owner = start(plan, HASTY, store);
      Future<?> writer = start(plan, SLOW, store);
      start(plan, HELPER, store);
      await(signalled);
      long start = System.nanoTime();
      hasty.interrupt();
      await(known);
      // It waits, unless it does not: then it is overwritten first.
      CountDownLatch overwritten = new CountDownLatch(1);
      Future<Long> after =
          threads.submit(
              () -> {
                assertAborted(owner);
                long nanos = System.nanoTime() - start;
                outputs[HASTY].fill((byte) -1);
                overwritten.countDown();
                return nanos;
              });
      overwritten.await(20, TimeUnit.MILLISECONDS); // far shorter than it waits at most
      goOn.countDown();
      assertAborted(writer);
      long nanos = after.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assumeTrue(nanos < Standings.LAST_NANOS, "a machine that did not stand still");
      assertThat(outputs[HASTY].toArray(ValueLayout.JAVA_BYTE)).containsOnly(-1);
    }
  }
}
