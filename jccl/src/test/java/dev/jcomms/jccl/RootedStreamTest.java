package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small broadcasts that follow each other alike are streamed: the root goes ahead of the others.
 * Nobody can tell by the results, and who disagrees is told.
 */
final class StreamedBroadcastTest {
  private static final int[] ELEMENTS = {1, 4, 54, 55, 1000, 4096, 4097};

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void everyRankGetsEveryBroadcast(String transport) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              Random shared = new Random(7);
              Random own = new Random(comm.rank());
              for (int streak = 0; streak < 150; streak++) {
                int root = shared.nextInt(comm.size());
                Tensor x = Tensor.zeros(Shape.of(ELEMENTS[shared.nextInt(ELEMENTS.length)]));
                int length = streak % 40 == 39 ? 2000 : 1 + shared.nextInt(60);
                for (int i = 0; i < length; i++) {
                  float value = shared.nextInt(1 << 20);
                  x.fill(comm.rank() == root ? value : -1);
                  dawdle(own);
                  comm.broadcast(x, root);
                  x.fill(x.select(0, x.elements() - 1).item().toDouble() - value);
                  assertThat(x.select(0, 0).item().toDouble()).isZero();
                }
                if (shared.nextBoolean()) {
                  sum(comm, x.elements());
                }
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aListenerThatDoesSomethingElseIsAMismatch(String transport) {
    assertMismatch(transport, 1, comm -> sum(comm, 4));
    assertMismatch(transport, 1, Comm::barrier);
    assertMismatch(transport, 1, comm -> comm.broadcast(Tensor.zeros(Shape.of(5)), 0));
    assertMismatch(transport, 1, comm -> comm.broadcast(Tensor.zeros(Shape.of(4)), 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aRootThatDoesSomethingElseIsAMismatch(String transport) {
    assertMismatch(transport, 0, comm -> sum(comm, 4));
    assertMismatch(transport, 0, Comm::barrier);
    assertMismatch(transport, 0, comm -> comm.broadcast(Tensor.zeros(Shape.of(5)), 0));
    assertMismatch(transport, 0, comm -> comm.broadcast(Tensor.zeros(Shape.of(4)), 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aRootThatWasAheadLearnsOfItInWhateverItDoesNext(String transport) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              stream(comm, 1500); // so that it is far ahead
              if (comm.rank() == 1) {
                comm.barrier();
              } else {
                stream(comm, 1);
                sum(comm, 4);
              }
            });
    assertThat(ends)
        .allSatisfy(end -> assertThat(end).isInstanceOf(CommMismatchException.class))
        .allSatisfy(end -> assertThat(end).hasMessageContaining("broadcast of 4 x f32, root 0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aListenerThatClosesIsLost(String transport) {
    List<Throwable> ends = instead(transport, 1, Comm::close);
    assertThat(ends.get(1)).isNull();
    assertThat(List.of(ends.get(0), ends.get(2)))
        .allSatisfy(
            end ->
                assertThat(end)
                    .isInstanceOfSatisfying(
                        PeerLostException.class,
                        lost -> assertThat(lost.missingRanks()).contains(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aRootMayCloseBeforeTheOthersHaveHeard(String transport) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              stream(comm, 20);
              if (comm.rank() != 0) {
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
              }
              stream(comm, 5);
              comm.close();
            });
    assertThat(ends).containsOnlyNulls();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aListenerThatDoesNotComeIsNamed(String transport) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              stream(comm, 20);
              if (comm.rank() == 0) {
                OpOptions soon = OpOptions.timeout(Duration.ofMillis(300));
                for (int i = 0; i < 40; i++) {
                  comm.broadcast(Tensor.full(Shape.of(4), i), 0, soon);
                }
              } else if (comm.rank() == 2) {
                stream(comm, 40);
              } else {
                LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
              }
            });
    assertThat(ends.get(0))
        .isInstanceOfSatisfying(
            CommTimeoutException.class, late -> assertThat(late.missingRanks()).containsExactly(1));
    assertThat(ends.get(2))
        .isInstanceOfSatisfying(
            CommAbortedException.class, told -> assertThat(told.missingRanks()).containsExactly(1));
  }

  private static void assertMismatch(String transport, int rank, Consumer<Comm> otherwise) {
    assertThat(instead(transport, rank, otherwise))
        .allSatisfy(end -> assertThat(end).isInstanceOf(CommMismatchException.class));
  }

  /** What each rank got when one did something else, once, amid a stream. */
  private static List<Throwable> instead(String transport, int rank, Consumer<Comm> otherwise) {
    return run(
        transport,
        comm -> {
          stream(comm, 20);
          if (comm.rank() == rank) {
            otherwise.accept(comm);
          } else {
            stream(comm, 40);
          }
        });
  }

  private static List<Throwable> run(String transport, Consumer<Comm> body) {
    return FaceRanks.run(
        List.of(Jccl.with(AlgorithmCollection.defaults())),
        3,
        Map.of("transport", transport),
        body::accept);
  }

  private static void stream(Comm comm, int times) {
    for (int i = 0; i < times; i++) {
      Tensor x = Tensor.full(Shape.of(4), comm.rank() == 0 ? i : -1);
      comm.broadcast(x, 0);
      assertThat(x.select(0, 3).item().toDouble()).isEqualTo(i);
    }
  }

  private static void sum(Comm comm, long elements) {
    Tensor x = Tensor.full(Shape.of(elements), comm.rank() + 1);
    comm.allReduce(x, ReduceOp.SUM);
    assertThat(x.select(0, elements - 1).item().toDouble()).isEqualTo(6);
  }

  private static void dawdle(Random random) {
    switch (random.nextInt(20)) {
      case 0 -> LockSupport.parkNanos(50_000);
      case 1 -> Thread.yield();
      default -> {}
    }
  }
}
