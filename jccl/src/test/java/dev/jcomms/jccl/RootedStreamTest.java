package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.FlightRecorder;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small operations with a root that follow each other alike are streamed: who gives goes ahead of
 * who takes. Nobody can tell by the results, and who disagrees is told.
 */
final class RootedStreamTest {
  private static final int[] ELEMENTS = {1, 2, 3, 6, 7, 14, 15, 54, 55, 1000, 4096, 4097};

  /**
   * Operations alike after which a rank does something else: while ranks speak in notes, in
   * remarks.
   */
  private static final int[] AFTER = {20, 1100};

  /** More than who gives is ever ahead. */
  private static final int ENOUGH = 300;

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
                int length = streak % 10 == 9 ? 1200 : 1 + shared.nextInt(60);
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
  void whoTakesGetsWhatEveryoneGave(String transport) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              Random shared = new Random(11);
              Random own = new Random(comm.rank());
              for (int streak = 0; streak < 150; streak++) {
                int root = shared.nextInt(comm.size());
                int elements =
                    new int[] {1, 2, 4, 6, 14, 18, 54, 55, 1365, 1366}[shared.nextInt(10)];
                Rooted op = Rooted.values()[shared.nextInt(Rooted.values().length)];
                int length = streak % 10 == 9 ? 1200 : 1 + shared.nextInt(60);
                for (int i = 0; i < length; i++) {
                  dawdle(own);
                  op.check(comm, root, elements, shared.nextInt(1 << 20));
                }
                if (shared.nextBoolean()) {
                  sum(comm, elements);
                }
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  /**
   * Who gives ends the stream while one rank is so far back that the note of its end has the place
   * of one which that rank has not read, or that another looks at meanwhile.
   */
  @ParameterizedTest
  @CsvSource({
    "auto, BROADCAST, 993, 1057",
    "shm, BROADCAST, 993, 1058",
    "auto, BROADCAST, 993, 1122",
    "shm, BROADCAST, 993, 1123",
    "auto, SCATTER, 993, 1058",
    "shm, GATHER, 993, 1058",
    "auto, GATHER, 1500, 1563",
    "shm, GATHER, 1500, 1627",
    "auto, GATHER_SINGLE, 1500, 1563",
  })
  void aStreamEndsForThoseFarBackToo(String transport, Rooted op, int pauseAt, int length) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              for (int i = 1; i <= length; i++) {
                if (comm.rank() == 1 && i == pauseAt) {
                  LockSupport.parkNanos(
                      200_000_000); // for the others to go as far ahead as they may
                }
                op.check(comm, 0, 1, i);
              }
              sum(comm, 1);
            });
    assertThat(ends).containsOnlyNulls();
  }

  /** An operation with a root, and what it must bring: rank r gives {@code value + r}. */
  private enum Rooted {
    BROADCAST {
      @Override
      void check(Comm comm, int root, int elements, int value) {
        Tensor x = given(comm, elements, value);
        comm.broadcast(x, root);
        assertAll(x, value + root);
      }
    },
    SCATTER {
      @Override
      void check(Comm comm, int root, int elements, int value) {
        Tensor x = Tensor.full(Shape.of(elements), -1);
        comm.scatter(x, comm.rank() == root ? pieces(comm, elements, value) : null, root);
        assertAll(x, value + comm.rank());
      }
    },
    GATHER {
      @Override
      void check(Comm comm, int root, int elements, int value) {
        List<Tensor> taken = comm.rank() == root ? pieces(comm, elements, -9) : null;
        comm.gather(taken, given(comm, elements, value), root);
        for (int r = 0; taken != null && r < comm.size(); r++) {
          assertAll(taken.get(r), value + r);
        }
      }
    },
    GATHER_SINGLE {
      @Override
      void check(Comm comm, int root, int elements, int value) {
        boolean takes = comm.rank() == root;
        Tensor taken = takes ? Tensor.zeros(Shape.of((long) elements * comm.size())) : null;
        comm.gatherSingle(taken, given(comm, elements, value), root);
        for (int r = 0; takes && r < comm.size(); r++) {
          assertAll(taken.narrow(0, (long) r * elements, elements), value + r);
        }
      }
    },
    REDUCE {
      @Override
      void check(Comm comm, int root, int elements, int value) {
        Tensor x = given(comm, elements, value);
        comm.reduce(x, root, ReduceOp.SUM);
        assertAll(x, comm.rank() == root ? 3 * value + 3 : value + comm.rank());
      }
    },
    REDUCE_SCALED {
      @Override
      void check(Comm comm, int root, int elements, int value) {
        Tensor x = given(comm, elements, value);
        comm.reduce(x, root, ReduceOp.premulSum(comm.rank() + 1));
        assertAll(x, comm.rank() == root ? 6 * value + 8 : value + comm.rank());
      }
    };

    abstract void check(Comm comm, int root, int elements, int value);

    static Tensor given(Comm comm, int elements, int value) {
      return Tensor.full(Shape.of(elements), value + comm.rank());
    }

    static List<Tensor> pieces(Comm comm, int elements, int value) {
      return IntStream.range(0, comm.size())
          .mapToObj(r -> Tensor.full(Shape.of(elements), value + r))
          .toList();
    }

    static void assertAll(Tensor x, double value) {
      assertThat(x.select(0, 0).item().toDouble()).isEqualTo(value);
      assertThat(x.select(0, x.elements() - 1).item().toDouble()).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void whoGivesSomethingElseIsAMismatch(String transport) {
    for (int rank : new int[] {0, 1}) {
      for (int after : AFTER) {
        assertSomethingElse(transport, rank, after, (comm, x) -> comm.reduce(x, 0, ReduceOp.SUM));
        assertSomethingElse(
            transport,
            rank,
            after,
            (comm, x) ->
                comm.gather(
                    comm.rank() == 0 ? Rooted.pieces(comm, (int) x.elements(), 0) : null, x, 0));
      }
    }
  }

  private static void assertSomethingElse(
      String transport, int rank, int after, BiConsumer<Comm, Tensor> op) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              for (int i = 0; i < after + 80; i++) {
                op.accept(
                    comm, Tensor.full(Shape.of(i == after && comm.rank() == rank ? 5 : 4), 1));
              }
              comm.barrier();
            });
    assertThat(ends).allSatisfy(end -> assertThat(end).isInstanceOf(CommMismatchException.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aRootThatDoesNotComeIsNamed(String transport) {
    CountDownLatch reduced = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(2);
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              for (int i = 0; i < 20; i++) {
                comm.reduce(Tensor.full(Shape.of(4), i), 0, ReduceOp.SUM);
              }
              if (comm.rank() == 0) {
                reduced.countDown();
                await(over);
                return;
              }
              await(reduced);
              OpOptions soon = OpOptions.timeout(Duration.ofMillis(300));
              try {
                for (int i = 20; i < 60; i++) {
                  comm.reduce(Tensor.full(Shape.of(4), i), 0, ReduceOp.SUM, soon);
                }
              } finally {
                over.countDown();
              }
            });
    assertThat(ends.get(0)).isNull();
    assertThat(List.of(ends.get(1), ends.get(2)))
        .allSatisfy(
            end ->
                assertThat(end)
                    .isInstanceOfSatisfying(
                        CommException.class,
                        late -> assertThat(late.missingRanks()).containsExactly(0)));
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

  /** After a thousand alike, of a few bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aRootGoesTwoHundredAheadOfWhoIsElsewhere(String transport) {
    CountDownLatch gone = new CountDownLatch(1);
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              for (int i = 0; i < 1700; i++) {
                if (i == 1500 && comm.rank() != 0) {
                  await(gone);
                }
                Tensor x = Tensor.full(Shape.of(4), comm.rank() == 0 ? i : -1);
                comm.broadcast(x, 0);
                assertThat(x.getFloat(3)).isEqualTo(i);
              }
              gone.countDown();
              sum(comm, 4);
            });
    assertThat(ends).containsOnlyNulls();
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
  void whoDoesSomethingElseLearnsItWhileTheOthersAreElsewhere(String transport) {
    for (int after : AFTER) {
      List<Throwable> ends =
          run(
              transport,
              comm -> {
                try (Comm other = comm.split(List.of(0, 1, 2)).orElseThrow()) {
                  boolean odd = comm.rank() == 1;
                  try {
                    // Whoever is behind may learn it in one of these.
                    for (int i = 0; i < after; i++) {
                      comm.broadcast(Tensor.full(Shape.of(4), i), 2);
                    }
                    comm.broadcast(Tensor.zeros(Shape.of(odd ? 5 : 4)), 2);
                    assertThat(odd).isFalse();
                  } finally {
                    other.barrier();
                  }
                }
                comm.barrier();
              });
      assertThat(ends).allSatisfy(end -> assertThat(end).isInstanceOf(CommMismatchException.class));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aListenerThatClosesIsLost(String transport) {
    for (int after : AFTER) {
      List<Throwable> ends = instead(transport, 1, after, Comm::close);
      assertThat(ends.get(1)).isNull();
      assertThat(List.of(ends.get(0), ends.get(2)))
          .allSatisfy(
              end ->
                  assertThat(end)
                      .isInstanceOfSatisfying(
                          PeerLostException.class,
                          lost -> assertThat(lost.missingRanks()).contains(1)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aRootThatClosesIsLost(String transport) {
    for (int after : AFTER) {
      List<Throwable> ends = instead(transport, 0, after, Comm::close);
      assertThat(ends.get(0)).isNull();
      assertThat(List.of(ends.get(1), ends.get(2)))
          .allSatisfy(end -> assertThat(end).isInstanceOf(PeerLostException.class));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aLongReasonIsTakenForNothingElse(String transport) {
    for (int after : AFTER) {
      List<Throwable> ends =
          instead(transport, 0, after, comm -> comm.abort("enough, ".repeat(1200)));
      assertThat(ends.get(0)).isNull();
      assertThat(List.of(ends.get(1), ends.get(2)))
          .allSatisfy(
              end ->
                  assertThat(end)
                      .isInstanceOf(CommAbortedException.class)
                      .hasMessageContaining("enough, enough"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aRootMayCloseBeforeTheOthersHaveHeard(String transport) {
    for (int after : AFTER) {
      List<Throwable> ends =
          run(
              transport,
              comm -> {
                stream(comm, after);
                if (comm.rank() != 0) {
                  rest(Duration.ofMillis(100));
                }
                stream(comm, 5);
                comm.close();
              });
      assertThat(ends).containsOnlyNulls();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aListenerThatDoesNotComeIsNamed(String transport) {
    for (int after : AFTER) {
      assertLateListener(transport, after);
    }
  }

  private static void assertLateListener(String transport, int after) {
    CountDownLatch over = new CountDownLatch(2);
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              stream(comm, after);
              if (comm.rank() == 1) {
                await(over);
                return;
              }
              try {
                if (comm.rank() == 2) {
                  stream(comm, ENOUGH);
                  return;
                }
                OpOptions soon = OpOptions.timeout(Duration.ofSeconds(4)); // rank 2 comes in time
                for (int i = 0; i < ENOUGH; i++) {
                  comm.broadcast(Tensor.full(Shape.of(4), i), 0, soon);
                }
              } finally {
                over.countDown();
              }
            });
    assertThat(ends.get(0))
        .isInstanceOfSatisfying(
            CommTimeoutException.class, late -> assertThat(late.missingRanks()).containsExactly(1));
    assertThat(ends.get(2))
        .isInstanceOfSatisfying(
            CommAbortedException.class, told -> assertThat(told.missingRanks()).containsExactly(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void everyOperationOfAStreamIsRecorded(String transport) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              Instant before = Instant.now();
              stream(comm, 1000);
              List<FlightRecorder.Entry> entries = comm.flightRecorder().entries();
              assertThat(entries).hasSizeGreaterThanOrEqualTo(1000);
              FlightRecorder.Entry last = entries.getFirst();
              for (FlightRecorder.Entry entry : entries.subList(1, entries.size())) {
                assertThat(entry.number()).isEqualTo(last.number() + 1);
                assertThat(entry.state()).isEqualTo(FlightRecorder.State.COMPLETED);
                assertThat(entry.created()).isBetween(last.created(), Instant.now());
                assertThat(entry.started()).hasValue(entry.created());
                assertThat(entry.ended().orElseThrow()).isAfterOrEqualTo(entry.created());
                last = entry;
              }
              assertThat(entries.getLast().created()).isAfter(before);
            });
    assertThat(ends).containsOnlyNulls();
  }

  @ParameterizedTest
  @CsvSource({"auto, 0", "auto, 1", "shm, 0", "shm, 1"})
  void whatOneRankIsRefusedIsNothingToTheOthers(String transport, int refused) {
    List<Throwable> ends =
        run(
            transport,
            comm -> {
              for (int i = 0; i < 12; i++) {
                if (i == 2 && comm.rank() == refused) {
                  Tensor freed = freed(1 << 16);
                  assertThatThrownBy(() -> comm.broadcast(freed, 0))
                      .isInstanceOf(IllegalArgumentException.class)
                      .hasMessageContaining("freed");
                }
                Tensor x = Tensor.full(Shape.of(256), comm.rank() == 0 ? i : -1);
                comm.broadcast(x, 0, OpOptions.timeout(Duration.ofSeconds(20)));
                assertThat(x.select(0, 255).item().toDouble()).isEqualTo(i);
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  private static Tensor freed(long elements) {
    try (Arena arena = Arena.ofShared()) {
      return Tensor.wrap(arena.allocate(4 * elements, 64), DType.F32, Shape.of(elements));
    }
  }

  private static void assertMismatch(String transport, int rank, Consumer<Comm> otherwise) {
    for (int after : AFTER) {
      assertThat(instead(transport, rank, after, otherwise))
          .allSatisfy(end -> assertThat(end).isInstanceOf(CommMismatchException.class));
    }
  }

  /** What each rank got when one did something else, once, amid a stream. */
  private static List<Throwable> instead(
      String transport, int rank, int after, Consumer<Comm> otherwise) {
    return run(
        transport,
        comm -> {
          stream(comm, after);
          if (comm.rank() == rank) {
            otherwise.accept(comm);
          } else {
            stream(comm, ENOUGH);
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

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** For so long, and not less: a park may end at any time. */
  private static void rest(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void dawdle(Random random) {
    switch (random.nextInt(20)) {
      case 0 -> LockSupport.parkNanos(50_000);
      case 1 -> Thread.yield();
      default -> {}
    }
  }
}
