package dev.jcomms.cli.tune;

import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Registration;
import dev.jcomms.World;
import dev.jcomms.cli.PlainNumbers;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Algorithms;
import dev.jcomms.jccl.Jccl;
import dev.jcomms.jccl.NativeAlgorithm;
import dev.jcomms.jccl.Tuner;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanException;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One process of {@code jcomms tune}: a rank, or all of them as threads. Rank 0 tells. */
final class TuneRank {
  static final String MODULE_AND_CLASS = "dev.jcomms.cli/" + TuneRank.class.getName();
  private static final String BACKEND = "jccl-tune";

  private TuneRank() {}

  public static void main(String[] args) {
    PlainNumbers.everywhere();
    try {
      run(TunePlan.of(args[0]));
      System.exit(0);
    } catch (World.RankFailure e) {
      fail(e.getCause());
    } catch (RuntimeException | IOException e) {
      fail(e);
    }
  }

  /** What a user can act on in one line; the trace of anything else. */
  private static void fail(Throwable e) {
    boolean known = e instanceof CommException || e instanceof IllegalArgumentException;
    if (known) System.err.println("jcomms: " + e.getMessage());
    else e.printStackTrace();
    System.exit(1);
  }

  private static void run(TunePlan plan) throws IOException {
    AlgorithmCollection algorithms = algorithms(plan.plans(), plan.sources());
    try (Registration _ = Backends.register(BACKEND, Jccl.with(algorithms))) {
      if (plan.threads() > 0) {
        World.of(plan.threads()).backend(BACKEND).run(comm -> tune(plan, comm, algorithms));
        return;
      }
      Comm.Builder builder = Comm.newBuilder(BACKEND, Device.CPU);
      if (!plan.transport().equals("auto")) builder.hint("transport", plan.transport());
      try (Comm comm = builder.build()) {
        tune(plan, comm, algorithms);
      }
    }
  }

  /** All there are; what is wrong with one is said with its option. */
  static AlgorithmCollection algorithms(List<String> plans, List<String> sources)
      throws IOException {
    AlgorithmCollection algorithms = AlgorithmCollection.defaults();
    for (String file : plans) {
      try {
        algorithms = algorithms.with(Algorithms.ofPlan(Plan.read(Path.of(file))));
      } catch (IllegalArgumentException | PlanException e) {
        throw new IllegalArgumentException("--plan=" + file + ": " + e.getMessage(), e);
      }
    }
    for (String file : sources) {
      try {
        algorithms = algorithms.with(NativeAlgorithm.compile(Path.of(file)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--native=" + file + ": " + e.getMessage(), e);
      }
    }
    return algorithms;
  }

  private static void tune(TunePlan plan, Comm comm, AlgorithmCollection algorithms) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    TuningTable.Profile profile =
        Tuner.of(comm)
            .withAlgorithms(algorithms)
            .withCollectives(plan.collectives())
            .withSizes(plan.bytes())
            .withElements(DType.parse(plan.dtype()), ReduceOp.parse(plan.redop()))
            .withSymmetric(plan.symmetric())
            .withTurns(Duration.ofNanos(plan.turnNanos()), plan.rounds())
            .tune(
                progress -> {
                  if (comm.rank() == 0) out.println(new TuneMessage.Size(progress).line());
                });
    if (comm.rank() == 0) {
      out.println(new TuneMessage.Done(new TuningTable(List.of(profile))).line());
    }
  }
}
