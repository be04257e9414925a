package dev.jcomms.jccl.dsl.programs;

import static dev.jcomms.jccl.dsl.On.on;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.dsl.Replication;
import dev.jcomms.jccl.plan.Finding;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DslProgramTest {
  private static String ops(RankPlan rank, int block) {
    return rank.blocks().get(block).ops().stream().map(Op::name).collect(Collectors.joining(" "));
  }

  @Test
  void collectivesDecideHowManyChunksBuffersHave() {
    record Case(ProgramSpec spec, String collective, int input, int output) {}
    List<Case> cases =
        List.of(
            new Case(ProgramSpec.allReduce("p", 3), "allreduce", 6, 6),
            new Case(ProgramSpec.allGather("p", 3), "allgather", 2, 6),
            new Case(ProgramSpec.reduceScatter("p", 3), "reducescatter", 6, 2),
            new Case(ProgramSpec.allToAll("p", 3), "alltoall", 6, 6),
            new Case(ProgramSpec.sendRecv("p", 3), "sendrecv", 2, 2),
            new Case(ProgramSpec.broadcast("p", 3, 1), "broadcast", 2, 2),
            new Case(ProgramSpec.reduce("p", 3, 1), "reduce", 2, 2),
            new Case(ProgramSpec.gather("p", 3, 1), "gather", 2, 6),
            new Case(ProgramSpec.scatter("p", 3, 1), "scatter", 6, 2));
    for (Case some : cases) {
      Plan plan = CollectiveProgram.define(some.spec.chunkFactor(2), _ -> {}).plan();
      assertEquals(some.collective, plan.collective());
      assertEquals(3, plan.ranks().size());
      assertEquals(some.input, plan.ranks().getFirst().inputChunks());
      assertEquals(some.output, plan.ranks().getFirst().outputChunks());
      assertEquals(some.spec.root(), plan.root());
      assertEquals(List.of(), plan.extras().unknownKeys());
      assertEquals(plan, Plan.read(plan.toJson()));
    }
  }

  @Test
  void withoutFusionAndAutoSyncOpsStayAsTheyAreWritten() {
    ProgramSpec spec = ProgramSpec.allReduce("sum", 2).inPlace();
    assertEquals("res", ops(sumAndSend(spec).ranks().getFirst(), 0));
    assertEquals("re nop put", ops(sumAndSend(spec.noFusion()).ranks().getFirst(), 0));
    assertEquals("re put", ops(sumAndSend(spec.noFusion().noAutoSync()).ranks().getFirst(), 0));
  }

  private static Plan sumAndSend(ProgramSpec spec) {
    return CollectiveProgram.define(
            spec,
            p -> {
              Chunk sum = p.rank(0).input().chunk(0);
              p.rank(0).reduce(sum, List.of(p.rank(0).input().chunk(1)), on(0));
              p.memoryChannel(0, 1).put(sum, p.rank(1).input().chunk(0), on(0));
            })
        .plan();
  }

  @Test
  void theReductionThatWasAskedForIsInThePlan() {
    Plan plan =
        CollectiveProgram.define(
                ProgramSpec.allReduce("max", 2).inPlace(),
                p -> {
                  Chunk mine = p.rank(0).input().chunk(0);
                  p.memoryChannel(0, 1)
                      .reduce(ReduceOp.MAX, mine, List.of(p.rank(1).input().chunk(0)), mine, on(0));
                })
            .plan();
    assertTrue(plan.toJson().contains("\"reduce_op\": \"max\""), plan.toJson());
  }

  @Test
  void barriersAreNumberedAnewInEachProgramAndForEachSetOfBlocks() {
    for (int program = 0; program < 2; program++) {
      Plan plan =
          CollectiveProgram.define(
                  ProgramSpec.test("barriers", 1, 0, 0),
                  p -> {
                    p.rank(0).barrier(0, 1);
                    p.rank(0).barrier(0, 2);
                    p.rank(0).barrier(0, 1);
                  })
              .plan();
      assertEquals(
          List.of(new Op.Barrier(0, 2), new Op.Barrier(1, 2), new Op.Barrier(0, 2)),
          plan.ranks().getFirst().blocks().getFirst().ops());
    }
  }

  @Test
  void blocksThatNothingIsOnAreIdle() {
    Plan plan =
        CollectiveProgram.define(ProgramSpec.test("gap", 1, 0, 0), p -> p.rank(0).barrier(2))
            .plan();
    RankPlan rank = plan.ranks().getFirst();
    assertEquals(List.of("", "", "nop"), List.of(ops(rank, 0), ops(rank, 1), ops(rank, 2)));
  }

  @Test
  void instancesThatShareChunksSliceThem() {
    Plan plan =
        CollectiveProgram.define(
                ProgramSpec.allGather("shared", 2).instances(3).replication(Replication.NONE),
                p -> p.rank(0).copy(p.rank(0).input().all(), p.rank(0).output().chunk(0), on(0)))
            .plan();
    RankPlan rank = plan.ranks().getFirst();
    assertEquals(
        List.of(1, 2, 3), List.of(rank.inputChunks(), rank.outputChunks(), rank.blocks().size()));
    for (int k = 0; k < 3; k++) {
      Op.Data copy = (Op.Data) rank.blocks().get(k).ops().getFirst();
      assertEquals(k, copy.group().member());
      assertEquals(3, copy.group().blocks());
    }
  }

  /** Around a ring, which MSCCL++'s examples do not do: reduce-scatter, then all-gather. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 7, 8})
  void aRingOfAnySizeIsAValidPlan(int n) {
    Plan plan =
        CollectiveProgram.define(
                ProgramSpec.allReduce("ring_" + n, n).inPlace(),
                p -> {
                  Mesh mesh = p.memoryMesh();
                  for (int step = 0; step < 2 * (n - 1); step++) {
                    for (int r : p.ranks()) {
                      int to = (r + 1) % n;
                      int index = Math.floorMod(r - step, n);
                      Chunk mine = p.rank(r).input().chunk(index);
                      Chunk theirs = p.rank(to).scratch(1).all();
                      mesh.link(r, to).put(mine, theirs, on(0));
                      mesh.link(r, to).signal(on(0).syncBefore());
                      mesh.link(to, r).await(on(0).syncAfter());
                      if (step < n - 1) {
                        p.rank(to).reduce(p.rank(to).input().chunk(index), List.of(theirs), on(0));
                      } else {
                        p.rank(to).copy(theirs, p.rank(to).input().chunk(index), on(0));
                      }
                    }
                  }
                })
            .plan();
    List<Finding> errors =
        plan.validate().stream()
            .filter(finding -> finding.severity() == Finding.Severity.ERROR)
            .toList();
    assertEquals(List.of(), errors);
    assertEquals(plan, Plan.read(plan.toJson()));
  }

  @Test
  void programsAreDefinedAtTheSameTime() throws Exception {
    String expected = AllReducePrograms.packets(8).plan().toJson();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<String>> tasks =
          IntStream.range(0, 16)
              .<Callable<String>>mapToObj(_ -> () -> AllReducePrograms.packets(8).plan().toJson())
              .toList();
      for (Future<String> json : threads.invokeAll(tasks)) {
        assertEquals(expected, json.get());
      }
    }
  }
}
