package dev.jcomms.cli.bench.measure;

import dev.jcomms.Comm;
import dev.jcomms.Registration;
import dev.jcomms.World;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.Device;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

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
    String name = servingCpu(backend);
    Witness witness = new Witness(Backends.get(name));
    Consumer<Comm> rank =
        comm -> new RankBench(plan, comm, witness.of(comm.rank()), environment, out).run();
    try (Registration _ = Backends.register(name, witness)) {
      if (plan.threads() > 0) {
        World world = World.of(plan.threads()).backend(backend);
        for (Map.Entry<String, String> hint : plan.hints().entrySet()) {
          world = world.hint(hint.getKey(), hint.getValue());
        }
        world.run(rank::accept);
        return;
      }
      Comm.Builder builder = Comm.newBuilder(backend, Device.CPU).environment(environment);
      plan.hints().forEach(builder::hint);
      if (!plan.transport().equals(Plan.AUTO)) builder.hint("transport", plan.transport());
      try (Comm comm = builder.build()) {
        rank.accept(comm);
      }
    }
  }

  /** The one that is measured, out of {@code cpu:jccl,cuda:nccl}. */
  private static String servingCpu(String backends) {
    return Stream.of(backends.split(","))
        .map(String::strip)
        .filter(part -> part.startsWith("cpu:"))
        .map(part -> part.substring(part.indexOf(':') + 1))
        .findFirst()
        .orElse(backends.strip());
  }
}
