package dev.jcomms.jccl;

import static dev.jcomms.jccl.dsl.On.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Plans of the collectives that have a root, and what a communicator does with them. */
public final class RootedPlans {
  public static final List<String> COLLECTIVES =
      List.of("broadcast", "reduce", "gather", "scatter");

  private RootedPlans() {}

  /** Straight to or from a root; {@code real} may be another than the one that the plan says. */
  public static Plan plan(String collective, int ranks, int said, int real, boolean inPlace) {
    String name = "straight_" + collective;
    ProgramSpec spec =
        switch (collective) {
          case "broadcast" -> ProgramSpec.broadcast(name, ranks, said);
          case "reduce" -> ProgramSpec.reduce(name, ranks, said);
          case "gather" -> ProgramSpec.gather(name, ranks, said);
          case "scatter" -> ProgramSpec.scatter(name, ranks, said);
          default -> throw new AssertionError(collective);
        };
    boolean toAll = collective.equals("broadcast") || collective.equals("scatter");
    boolean reduces = collective.equals("reduce");
    return CollectiveProgram.define(
            inPlace ? spec.inPlace() : spec,
            p -> {
              Mesh mesh = p.memoryMesh();
              List<Buffer> arrivals = new ArrayList<>();
              p.ranks().forEach(r -> arrivals.add(p.rank(r).scratch(reduces ? ranks : 0)));
              mesh.forEach(link -> link.signal(on(0).relaxed()));
              mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
              for (int r : p.ranks()) {
                int from = toAll ? real : r;
                int to = toAll ? r : real;
                Chunk given = p.rank(from).input().chunk(collective.equals("scatter") ? r : 0);
                Chunk taken =
                    reduces
                        ? arrivals.get(to).chunk(r)
                        : p.rank(to).output().chunk(collective.equals("gather") ? r : 0);
                if (r != real) {
                  mesh.link(from, to).put(given, taken, on(0));
                } else if (reduces || !inPlace) {
                  p.rank(r).copy(given, taken, on(0));
                }
              }
              mesh.forEach(link -> link.signal(on(0).syncBefore()));
              mesh.forEach(link -> link.await(on(0).syncAfter()));
              if (reduces) {
                Buffer all = arrivals.get(real);
                List<Chunk> others = IntStream.range(1, ranks).mapToObj(all::chunk).toList();
                p.rank(real).reduce(all.chunk(0), others, p.rank(real).output().chunk(0), on(0));
              }
            })
        .plan();
  }

  /** The same plan, in which ranks have no buffer that the collective does not ask them for. */
  public static Plan bare(Plan plan) {
    boolean givesAll = plan.collective().equals("scatter");
    boolean takesAll = plan.collective().equals("gather") || plan.collective().equals("reduce");
    return plan.withRanks(
        plan.ranks().stream()
            .map(
                its -> {
                  boolean root = its.rank() == plan.root().orElseThrow();
                  return new RankPlan(
                      its.rank(),
                      root || !givesAll ? its.inputChunks() : 0,
                      root || !takesAll ? its.outputChunks() : 0,
                      its.scratchChunks(),
                      its.channels(),
                      its.remoteBuffers(),
                      its.semaphores(),
                      its.blocks());
                })
            .toList());
  }

  /** All four, beside jccl's own, for one root. */
  public static AlgorithmCollection with(int ranks, int root, boolean inPlace) {
    return with(ranks, root, inPlace, UnaryOperator.identity());
  }

  /** All four, changed in some way. */
  public static AlgorithmCollection with(
      int ranks, int root, boolean inPlace, UnaryOperator<Plan> changed) {
    AlgorithmCollection all = AlgorithmCollection.defaults();
    for (String collective : COLLECTIVES) {
      Plan plan = plan(collective, ranks, root, root, inPlace);
      all = all.with(Algorithms.ofPlan(changed.apply(plan)));
    }
    return all;
  }

  /**
   * Has each collective done by its plan, forced by a hint, for some sizes, three times; then by
   * whom a selector chooses for another root, which is not the plan.
   */
  public static void check(Comm comm, int root) {
    for (String collective : COLLECTIVES) {
      OpOptions forced = OpOptions.hint("algorithm", "straight_" + collective);
      for (int elements : new int[] {4, 1024, 16, 1024, 5000}) {
        for (int launch = 0; launch < 3; launch++) {
          check(comm, collective, root, elements, launch, forced);
        }
      }
      int other = (root + 1) % comm.size();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> check(comm, collective, other, 16, 0, forced))
          .withMessageContaining("its root is rank %d, not %d", root, other);
      check(comm, collective, other, 16, 0, OpOptions.DEFAULT);
      check(comm, collective, root, 16, 0, OpOptions.DEFAULT);
    }
  }

  private static void check(
      Comm comm, String collective, int root, int elements, int launch, OpOptions options) {
    int n = comm.size();
    int me = comm.rank();
    boolean isRoot = me == root;
    switch (collective) {
      case "broadcast" -> {
        Tensor x = of(me, launch, elements);
        comm.broadcast(x, root, options);
        assertThat(last(x)).isEqualTo(value(root, launch));
      }
      case "reduce" -> {
        Tensor x = of(me, launch, elements);
        comm.reduce(x, root, ReduceOp.SUM, options);
        int sum = IntStream.range(0, n).map(r -> value(r, launch)).sum();
        assertThat(last(x)).isEqualTo(isRoot ? sum : value(me, launch));
      }
      case "gather" -> {
        List<Tensor> all =
            isRoot ? IntStream.range(0, n).mapToObj(_ -> of(99, 99, elements)).toList() : List.of();
        comm.gather(all, of(me, launch, elements), root, options);
        for (int r = 0; r < all.size(); r++) {
          assertThat(last(all.get(r))).isEqualTo(value(r, launch));
        }
      }
      case "scatter" -> {
        List<Tensor> all =
            isRoot
                ? IntStream.range(0, n).mapToObj(r -> of(r, launch, elements)).toList()
                : List.of();
        Tensor mine = of(99, 99, elements);
        comm.scatter(mine, all, root, options);
        assertThat(last(mine)).isEqualTo(value(me, launch));
      }
      default -> throw new AssertionError(collective);
    }
  }

  private static int value(int rank, int launch) {
    return 1 + 10 * rank + 1000 * launch;
  }

  private static Tensor of(int rank, int launch, int elements) {
    return Tensor.full(DType.I32, Shape.of(elements), value(rank, launch));
  }

  private static long last(Tensor x) {
    return x.select(0, x.elements() - 1).item().toLong();
  }
}
