package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.World;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank waits for another in vain, and gives up: whom that concerns, and whom they blame. */
final class AbsentRankTest {
  private static final int SIZE = 4;
  private static final Duration SOON = Duration.ofSeconds(3);

  private static List<Throwable> run(String transport, World.Body body) {
    Map<String, String> hints =
        transport.equals("two-level")
            ? Map.of("ranks_per_host", "2")
            : Map.of("transport", transport);
    AlgorithmCollection algorithms =
        AlgorithmCollection.defaults().with(Algorithms.ofPlan(Sample.packets(SIZE)));
    return FaceRanks.run(List.of(Jccl.with(algorithms)), SIZE, hints, body);
  }

  private static void assertAllMiss(int absent, List<Throwable> ends) {
    for (int rank = 0; rank < SIZE; rank++) {
      if (rank != absent) {
        assertThat(ends.get(rank))
            .isInstanceOfAny(CommTimeoutException.class, CommAbortedException.class);
        assertThat(((CommException) ends.get(rank)).missingRanks())
            .as("%s", ends.get(rank))
            .containsExactly(absent);
      }
    }
  }

  /**
   * Rank 2 does not come; rank 3 waits for it, gives up and closes while others wait for rank 3,
   * who have more patience.
   */
  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp", "two-level"})
  void whoGivesUpIsNotBlamedByThoseWhoWaitForIt(String transport) {
    CountDownLatch over = new CountDownLatch(SIZE - 1);
    CyclicBarrier come = new CyclicBarrier(SIZE - 1);
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              if (comm.rank() == 2) {
                assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
                return;
              }
              try {
                come.await(60, TimeUnit.SECONDS);
                OpOptions soon = OpOptions.timeout(Duration.ofSeconds(4));
                comm.barrier(comm.rank() == 3 ? soon : OpOptions.DEFAULT);
              } finally {
                over.countDown();
              }
            });
    assertAllMiss(2, ends);
  }

  /** Rank 3 does not come; rank 1 gives up, and others have the time of a day. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp", "two-level"})
  void whenOneHasGivenUpAllDo(String transport) {
    List<Throwable> ends =
        without(
            3,
            transport,
            comm -> comm.allReduce(Tensor.zeros(Shape.of(1000)), ReduceOp.SUM),
            comm -> {
              Duration patience = comm.rank() == 1 ? SOON : Duration.ofDays(1);
              Tensor x = Tensor.zeros(Shape.of(1000));
              comm.allReduce(x, ReduceOp.SUM, OpOptions.timeout(patience));
            });
    assertAllMiss(3, ends);
  }

  /** What a plan waits for, a packet say, does not tell whose it is. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp", "two-level"})
  void whoDoesNotComeToAPlanIsNamed(String transport) {
    OpOptions plan = OpOptions.hint("algorithm", "packets_4");
    Tensor[] xs = new Tensor[SIZE];
    Arrays.setAll(xs, _ -> Tensor.zeros(Shape.of(1024)));
    List<Throwable> ends =
        without(
            2,
            transport,
            comm -> comm.allReduce(xs[comm.rank()], ReduceOp.SUM, plan),
            comm -> comm.allReduce(xs[comm.rank()], ReduceOp.SUM, plan.withTimeout(SOON)));
    assertAllMiss(2, ends);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp", "two-level"})
  void whoDoesNotAskForSymmetricMemoryIsNamed(String transport) {
    OpOptions soon = OpOptions.timeout(SOON);
    List<Throwable> ends =
        without(3, transport, Comm::barrier, comm -> comm.symmetric(DType.F32, Shape.of(8), soon));
    assertAllMiss(3, ends);
  }

  /** What becomes of a call, after another one, to which one rank does not come. */
  private static List<Throwable> without(
      int absent, String transport, World.Body before, World.Body call) {
    CountDownLatch over = new CountDownLatch(SIZE - 1);
    CyclicBarrier come = new CyclicBarrier(SIZE - 1);
    return run(
        transport,
        comm -> {
          before.run(comm);
          if (comm.rank() == absent) {
            assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
            return;
          }
          try {
            come.await(60, TimeUnit.SECONDS);
            call.run(comm);
          } finally {
            over.countDown();
          }
        });
  }

  /** Rank 0 waits for a message of rank 1 in vain; ranks 2 and 3 have something else to do. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp", "two-level"})
  void whoWaitsForAnotherDoesNotMind(String transport) {
    CountDownLatch givenUp = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              switch (comm.rank()) {
                case 0 -> {
                  try {
                    receive(comm, 1, Duration.ofMillis(300));
                  } finally {
                    givenUp.countDown();
                    assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
                  }
                }
                case 2 -> {
                  assertThat(givenUp.await(60, TimeUnit.SECONDS)).isTrue();
                  Thread.sleep(400); // more than once everybody looks around
                  comm.send(Tensor.full(Shape.of(3), 5), 3);
                }
                case 3 -> {
                  try {
                    receive(comm, 2, Duration.ofSeconds(60));
                  } finally {
                    over.countDown();
                  }
                }
                default -> assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
              }
            });
    assertThat(ends.getFirst()).isInstanceOf(CommTimeoutException.class);
    assertThat(ends.subList(1, SIZE)).containsOnlyNulls();
  }

  private static void receive(Comm comm, int from, Duration timeout) {
    Tensor x = Tensor.zeros(Shape.of(3));
    comm.recv(x, from, OpOptions.timeout(timeout));
    assertThat(x.select(0, 2).item().toDouble()).isEqualTo(5);
  }
}
