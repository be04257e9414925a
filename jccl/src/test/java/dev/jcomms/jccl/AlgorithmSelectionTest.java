package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Algorithm.Preparation;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations get the algorithm that a selector or a hint names, wherever it came from. */
final class AlgorithmSelectionTest {
  private static final AlgorithmCollection DEFAULTS = AlgorithmCollection.defaults();

  private final AtomicInteger runs = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void threeWaysToMakeAnAlgorithmOneWayToRunIt(int n) {
    AlgorithmCollection mine =
        DEFAULTS.with(Sample.naiveAllReduce(runs)).with(Algorithms.ofPlan(Sample.packets(n)));
    Jccl jccl =
        Jccl.with(mine)
            .selector(
                request ->
                    Optional.of(
                        Choice.of(
                            request.bytes() <= 64
                                ? "naive"
                                : request.bytes() <= 4096 ? "packets_" + n : "staged")));
    FaceRanks.run(
        n,
        jccl,
        comm -> {
          for (long elements : List.of(1, 16, 64, 1024, 4096, 100_000, 64, 1024)) {
            Tensor x = Tensor.full(Shape.of(elements), comm.rank() + 1);
            comm.allReduce(x, ReduceOp.SUM);
            assertThat(x.getFloat(elements - 1)).isEqualTo(n * (n + 1) / 2f);
          }
        });
    assertThat(runs).hasValue(2 * n);
  }

  @ParameterizedTest
  @CsvSource({"2,auto", "4,auto", "3,tcp", "2,shm", "4,two_level"})
  void aUsersAllGatherRunsOnEveryTransport(int n, String transport) {
    Map<String, String> hints =
        transport.equals("two_level")
            ? Map.of("ranks_per_host", "2")
            : Map.of("transport", transport);
    Jccl jccl =
        Jccl.with(DEFAULTS.with(Sample.ringAllGather(runs)))
            .selector(Selector.of("all_gather", "my_ring"));
    FaceRanks.run(
        n,
        jccl,
        hints,
        comm -> {
          Tensor mine = Tensor.full(Shape.of(1000), comm.rank() + 1);
          Tensor all = Tensor.zeros(Shape.of(1000L * n));
          comm.allGatherSingle(all, mine);
          List<Tensor> list = new ArrayList<>();
          for (int r = 0; r < n; r++) {
            list.add(Tensor.zeros(Shape.of(10, 100)));
          }
          comm.allGather(list, mine.view(10, 100));
          for (int r = 0; r < n; r++) {
            assertThat(all.getFloat(1000L * r + 999)).isEqualTo(r + 1);
            assertThat(list.get(r).getFloat(9, 99)).isEqualTo(r + 1);
          }
          comm.barrier();
        });
    assertThat(runs).hasValue(2 * n);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ANY", "IN_PLACE", "OUT_OF_PLACE"})
  void buffersAreWhereAnAlgorithmWantsThem(Algorithm.BufferMode mode) {
    Jccl jccl = Jccl.with(DEFAULTS.with(new Sample.NaiveAllReduce(runs, mode)));
    OpOptions forced = OpOptions.hint("algorithm", "naive");
    FaceRanks.run(
        2,
        jccl,
        comm -> {
          // One rank in place, the other not: that is a rank's own affair.
          Tensor in = Tensor.full(Shape.of(9), comm.rank() + 1);
          Tensor out = comm.rank() == 0 ? in : Tensor.zeros(Shape.of(9));
          comm.allReduce(out, in, ReduceOp.SUM, forced);
          assertThat(out.getFloat(8)).isEqualTo(3);
          assertThat(in.getFloat(0)).isEqualTo(comm.rank() == 0 ? 3 : 2);
        });
    assertThat(runs).hasValue(2);
  }

  @Test
  void ranksOfAHostShareMemoryThatAPreparationAskedFor() {
    Algorithm board =
        Algorithms.of(
            "broadcast",
            "board",
            "The root writes on a board.",
            setup -> {
              MemorySegment memory = setup.shared(8 + 4096);
              return Preparation.ready(
                  task -> {
                    if (setup.rank() == task.root()) {
                      MemorySegment.copy(
                          task.input().segment(), 0, memory, 8, task.input().bytes());
                    }
                    setup.meet();
                    MemorySegment.copy(
                        memory, 8, task.output().segment(), 0, task.output().bytes());
                    setup.meet();
                  });
            });
    FaceRanks.run(
        3,
        Jccl.with(DEFAULTS.with(board)).selector(_ -> Optional.empty()),
        comm -> {
          for (int root = 0; root < 3; root++) {
            Tensor x = Tensor.full(Shape.of(5), 10 * comm.rank());
            comm.broadcast(x, root, OpOptions.hint("algorithm", "board"));
            assertThat(x.getFloat(4)).isEqualTo(10 * root);
          }
        });
  }

  @Test
  void keysDecideHowOftenAnAlgorithmIsPrepared() {
    AtomicInteger prepared = new AtomicInteger();
    Algorithm keyed =
        new Algorithm() {
          @Override
          public String name() {
            return "keyed";
          }

          @Override
          public String collective() {
            return "barrier";
          }

          @Override
          public String description() {
            return "Meets.";
          }

          @Override
          public Map<String, List<Long>> parameters() {
            return Map.of("turns", List.of(1L, 2L));
          }

          @Override
          public Preparation prepare(Setup setup) {
            prepared.incrementAndGet();
            long turns = setup.parameter("turns");
            return new Ready(
                _ -> {
                  for (long i = 0; i < turns; i++) {
                    setup.meet();
                    runs.incrementAndGet();
                  }
                },
                () -> prepared.addAndGet(100));
          }
        };
    FaceRanks.run(
        2,
        Jccl.with(DEFAULTS.with(keyed)),
        comm -> {
          for (int i = 0; i < 3; i++) {
            comm.barrier(OpOptions.hint("algorithm", "keyed"));
            comm.barrier(OpOptions.hint("algorithm", "keyed:turns=2"));
          }
          assertThatThrownBy(() -> comm.barrier(OpOptions.hint("algorithm", "keyed:speed=2")))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("has no parameter 'speed'; it has [turns]");
        });
    assertThat(runs).hasValue(2 * 3 * 3);
    assertThat(prepared).as("prepared 2 x 2 times, and closed as often").hasValue(4 + 400);
  }

  @Test
  void whatOneRankCannotPrepareIsInfeasibleForAll() {
    Algorithm picky =
        Algorithms.of(
            "all_reduce",
            "picky",
            "Works on some ranks only.",
            setup ->
                setup.rank() == 1
                    ? Preparation.infeasible("no luck")
                    : Preparation.ready(_ -> runs.incrementAndGet()));
    Jccl jccl =
        Jccl.with(DEFAULTS.with(picky).with(Sample.naiveAllReduce(new AtomicInteger())))
            .selector(_ -> Optional.of(Choice.of("picky")))
            .fallback(_ -> Optional.of(Choice.of("naive")));
    FaceRanks.run(
        3,
        jccl,
        comm -> {
          Tensor x = Tensor.ones(Shape.of(4));
          comm.allReduce(x, ReduceOp.SUM);
          comm.allReduce(x, ReduceOp.SUM);
          assertThat(x.getFloat(0)).isEqualTo(9);
          assertThatThrownBy(
                  () -> comm.allReduce(x, ReduceOp.SUM, OpOptions.hint("algorithm", "picky")))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("rank 1: no luck");
        });
    assertThat(runs).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void memoryThatCannotBeHadIsInfeasible(String transport) {
    Algorithm greedy =
        Algorithms.of(
            "all_reduce",
            "greedy",
            "Wants all the memory there is.",
            setup -> {
              setup.shared(setup.rank() == 1 || !transport.equals("tcp") ? 1L << 50 : 64);
              return Preparation.ready(_ -> runs.incrementAndGet());
            });
    assertGivesWay(greedy, transport);
    assertThat(runs).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void aPlanWhoseMemoryCannotBeHadIsInfeasible(String transport) {
    Plan packets = Sample.packets(2);
    List<RankPlan> ranks = new ArrayList<>(packets.ranks());
    RankPlan last = ranks.getLast();
    ranks.set(
        1,
        new RankPlan(
            1,
            last.inputChunks(),
            last.outputChunks(),
            1 << 30,
            last.channels(),
            last.remoteBuffers(),
            last.semaphores(),
            last.blocks()));
    assertGivesWay(Algorithms.ofPlan(packets.withRanks(ranks)), transport);
  }

  /** jccl does it by its own choice, and says why not if it may not. */
  private static void assertGivesWay(Algorithm algorithm, String transport) {
    FaceRanks.run(
        2,
        Jccl.with(DEFAULTS.with(algorithm)).selector(Selector.of("all_reduce", algorithm.name())),
        Map.of("transport", transport),
        comm -> {
          for (int i = 0; i < 2; i++) {
            Tensor x = Tensor.full(Shape.of(1 << 16), comm.rank() + 1);
            comm.allReduce(x, ReduceOp.SUM);
            assertThat(x.getFloat((1 << 16) - 1)).isEqualTo(3);
            OpOptions forced = OpOptions.hint("algorithm", algorithm.name());
            assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM, forced))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shared memory: rank ");
          }
        });
  }

  @Test
  void ranksThatChooseDifferentlyAreTold() {
    Jccl mine = Jccl.with(DEFAULTS.with(Sample.naiveAllReduce(runs)));
    List<Jccl> backends =
        List.of(
            mine.selector(_ -> Optional.of(Choice.of("naive"))),
            mine.selector(_ -> Optional.of(Choice.of("flat"))));
    List<Throwable> ends =
        FaceRanks.run(
            backends, 2, Map.of(), comm -> comm.allReduce(Tensor.ones(Shape.of(4)), ReduceOp.SUM));
    assertThat(ends).allSatisfy(end -> assertThat(end).isInstanceOf(CommMismatchException.class));
    assertThat(ends).anySatisfy(end -> assertThat(end).hasMessageContaining("another algorithm"));
  }

  /** Its tensor was freed, which the others do not know: they go on with the same algorithm. */
  @Test
  void aRefusalOfOneRankLeavesItsChoiceAsItWas() {
    int elements = 1 << 18;
    FaceRanks.run(
        2,
        Jccl.with(DEFAULTS).selector(Selector.of("all_reduce", "direct")),
        comm -> {
          for (int i = 0; i < 2; i++) {
            if (comm.rank() == 1) {
              Tensor freed;
              try (Arena arena = Arena.ofShared()) {
                freed = Tensor.wrap(arena.allocate(4L * elements), DType.F32, Shape.of(elements));
              }
              assertThatThrownBy(() -> comm.allReduce(freed, ReduceOp.SUM))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("its arena is closed");
            }
            Tensor x = Tensor.full(Shape.of(elements), comm.rank() + 1);
            comm.allReduce(x, ReduceOp.SUM);
            assertThat(x.getFloat(elements - 1)).isEqualTo(3);
          }
        });
  }

  @Test
  void anUnknownNameListsWhatThereIs() {
    FaceRanks.run(
        2,
        Jccl.with(DEFAULTS.with(Sample.naiveAllReduce(runs))),
        comm ->
            assertThatThrownBy(
                    () ->
                        comm.allReduce(
                            Tensor.ones(Shape.of(4)),
                            ReduceOp.SUM,
                            OpOptions.hint("algorithm", "nave")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                    "hint algorithm=nave: all_reduce has no algorithm 'nave'; there are direct,"
                        + " exchange, flat, naive, recursive_doubling, recursive_halving, ring,"
                        + " staged, two_level"));
  }

  @Test
  void anAlgorithmForOtherRanksSaysSo() {
    FaceRanks.run(
        2,
        Jccl.with(DEFAULTS.with(Algorithms.ofPlan(Sample.packets(4)))),
        comm -> {
          Tensor x = Tensor.ones(Shape.of(64));
          OpOptions forced = OpOptions.hint("algorithm", "packets_4");
          assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM, forced))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("it is for 4 ranks; the communicator has 2");
        });
  }

  @Test
  void aPlanRefusesWhatItIsNotFor() {
    FaceRanks.run(
        2,
        Jccl.with(DEFAULTS.with(Algorithms.ofPlan(Sample.packets(2)))),
        comm -> {
          OpOptions forced = OpOptions.hint("algorithm", "packets_2");
          assertThatThrownBy(() -> comm.allReduce(Tensor.ones(Shape.of(64)), ReduceOp.MAX, forced))
              .hasMessageContaining("it reduces by [sum], not by max");
          assertThatThrownBy(() -> comm.allReduce(Tensor.ones(Shape.of(3)), ReduceOp.SUM, forced))
              .hasMessageContaining("does not divide");
        });
  }

  @Test
  void anAlgorithmThatThrowsEndsTheCommunicatorForAll() {
    Algorithm broken =
        Algorithms.of(
            "all_reduce",
            "broken",
            "Fails on rank 0.",
            setup ->
                Preparation.ready(
                    task -> {
                      if (setup.rank() == 0) {
                        throw new IllegalArgumentException("out of ideas");
                      }
                      setup.recv(task.output(), 0);
                    }));
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(DEFAULTS.with(broken))),
            2,
            Map.of(),
            comm ->
                comm.allReduce(
                    Tensor.ones(Shape.of(4)), ReduceOp.SUM, OpOptions.hint("algorithm", "broken")));
    assertThat(ends.get(0))
        .hasMessageContaining("algorithm 'broken'")
        .hasMessageContaining("ideas");
    assertThat(ends.get(1)).isInstanceOf(dev.jcomms.CommException.class);
  }

  @Test
  void requestsHoldWhatAllRanksKnow() {
    List<Selector.Request> seen = java.util.Collections.synchronizedList(new ArrayList<>());
    FaceRanks.run(
        2,
        Jccl.with(DEFAULTS)
            .selector(
                request -> {
                  seen.add(request);
                  return Optional.empty();
                }),
        comm -> {
          comm.allReduce(Tensor.ones(Shape.of(4)), ReduceOp.MAX);
          comm.allReduce(Tensor.ones(Shape.of(4)), ReduceOp.MAX);
          comm.allGatherSingle(
              Tensor.zeros(DType.I64, Shape.of(6)), Tensor.zeros(DType.I64, Shape.of(3)));
        });
    assertThat(seen)
        .containsExactlyInAnyOrder(
            new Selector.Request(
                "all_reduce", 16, DType.F32, ReduceOp.MAX, 2, 2, Selector.Transport.LOCAL, false),
            new Selector.Request(
                "all_reduce", 16, DType.F32, ReduceOp.MAX, 2, 2, Selector.Transport.LOCAL, false),
            new Selector.Request(
                "all_gather", 48, DType.I64, null, 2, 2, Selector.Transport.LOCAL, false),
            new Selector.Request(
                "all_gather", 48, DType.I64, null, 2, 2, Selector.Transport.LOCAL, false));
  }

  @Test
  void namesAreGivenOnce() {
    assertThatThrownBy(
            () -> DEFAULTS.with(Sample.naiveAllReduce(runs)).with(Sample.naiveAllReduce(runs)))
        .hasMessage("all_reduce has an algorithm named 'naive' already");
    assertThatThrownBy(() -> DEFAULTS.with(Algorithms.of("allreduce", "x", "", null)))
        .hasMessageContaining("'x' is for 'allreduce'; there are [all_reduce,");
    assertThatThrownBy(() -> DEFAULTS.with(Algorithms.of("all_reduce", "auto", "", null)))
        .hasMessageContaining("cannot be named 'auto'");
  }

  @Test
  void allDefaultsAreDescribedInOneSentence() {
    assertThat(DEFAULTS.all())
        .hasSizeGreaterThan(40)
        .allSatisfy(a -> assertThat(a.description()).matches("[A-Z].{10,100}\\."));
    assertThat(DEFAULTS.find("all_reduce", "ring")).isPresent();
  }

  @Test
  void aChoiceIsTextBothWays() {
    Choice choice = new Choice("packets", Map.of("payload", 8L, "lanes", 2L));
    assertThat(choice).hasToString("packets:lanes=2,payload=8");
    assertThat(Choice.parse("packets:lanes=2,payload=8")).isEqualTo(choice);
    assertThatThrownBy(() -> Choice.parse("ring:fast"))
        .hasMessageContaining("'fast' is not NAME=NUMBER");
  }
}
