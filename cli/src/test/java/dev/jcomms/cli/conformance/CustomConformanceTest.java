package dev.jcomms.cli.conformance;

import dev.jcomms.Registration;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.Algorithm.Preparation;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Algorithms;
import dev.jcomms.jccl.Jccl;
import dev.jcomms.jccl.Selector;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.BackendConformance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Ranks that are threads, with a user's all-reduce and all-gather and a forced broadcast. */
final class CustomConformanceTest extends BackendConformance {
  private static final Algorithm EXCHANGE =
      Algorithms.of(
          "all_reduce",
          "everything",
          "Everybody sends everything to everybody.",
          setup ->
              Preparation.ready(
                  task -> {
                    int n = setup.size();
                    int me = setup.rank();
                    List<Tensor> all = new ArrayList<>();
                    Shape shape = Shape.of(task.input().elements());
                    for (int r = 0; r < n; r++) {
                      all.add(
                          r == me
                              ? task.input().copy()
                              : Tensor.zeros(task.input().dtype(), shape));
                    }
                    for (int step = 1; step < n; step++) {
                      int from = Math.floorMod(me - step, n);
                      setup.sendRecv(all.get(me), (me + step) % n, all.get(from), from);
                    }
                    setup.reduce(task.output(), all, task.op());
                  }));

  private static final Algorithm RING =
      Algorithms.of(
          "all_gather",
          "my_ring",
          "Sections go around a ring.",
          setup ->
              Preparation.ready(
                  task -> {
                    int n = setup.size();
                    int me = setup.rank();
                    task.output(me).copyFrom(task.input());
                    for (int step = 0; step < n - 1; step++) {
                      int give = Math.floorMod(me - step, n);
                      int take = Math.floorMod(give - 1, n);
                      setup.sendRecv(
                          task.output(give), (me + 1) % n, task.output(take), (me + n - 1) % n);
                    }
                  }));

  private static Registration registration;

  @BeforeAll
  static void register() {
    Selector selector =
        request ->
            switch (request.collective()) {
              case "all_reduce" -> Optional.of(Selector.Choice.of("everything"));
              case "all_gather" -> Optional.of(Selector.Choice.of("my_ring"));
              case "broadcast" -> Optional.of(Selector.Choice.of("staged"));
              default -> Optional.empty();
            };
    registration =
        Backends.register(
            "jccl-custom",
            Jccl.with(AlgorithmCollection.defaults().with(EXCHANGE).with(RING)).selector(selector));
  }

  @AfterAll
  static void forget() {
    registration.close();
  }

  @Override
  protected String backend() {
    return "jccl-custom";
  }

  @Override
  protected List<Integer> worldSizes() {
    return List.of(3);
  }
}
