package dev.jcomms.cli.bench.measure;

import dev.jcomms.Comm;
import dev.jcomms.World;
import dev.jcomms.tensor.Device;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a plan as one rank of a job, or as all ranks of a world in this JVM. */
public final class Bench {
  private Bench() {}

  /**
   * Measures and returns when all is done.
   *
   * @param out hears of everything on the process of rank 0, on one thread
   */
  public static void run(Plan plan, Map<String, String> environment, Consumer<Message> out) {
    String backend = plan.backend().isEmpty() ? Comm.defaultBackend() : plan.backend();
    if (plan.threads() > 0) {
      World.of(plan.threads())
          .backend(backend)
          .run(comm -> new RankBench(plan, comm, environment, out).run());
      return;
    }
    Comm.Builder builder = Comm.newBuilder(backend, Device.CPU).environment(environment);
    if (!plan.transport().equals(Plan.AUTO)) builder.hint("transport", plan.transport());
    try (Comm comm = builder.build()) {
      new RankBench(plan, comm, environment, out).run();
    }
  }
}
