package dev.jcomms.cli.bench;

import dev.jcomms.Codecs;
import dev.jcomms.cli.CliException;
import dev.jcomms.cli.LaunchOptions;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.op.Operation;
import dev.jcomms.cli.bench.peer.Peer;
import dev.jcomms.cli.launch.JavaOptions;
import dev.jcomms.cli.launch.LaunchSpec;
import dev.jcomms.cli.launch.Program;
import dev.jcomms.cli.launch.SingleRank;
import dev.jcomms.spi.Backends;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code jcomms bench}: nccl-tests for JComms, with other libraries beside. */
@Command(
    name = "bench",
    description = "Measure operations, as nccl-tests does, and other libraries beside.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "jcomms bench OPERATION[,...] [-n N] [-b SIZE] [-e SIZE] [OPTION...]",
    footer = {
      "",
      "OPERATION: all_reduce, broadcast, all_gather, reduce_scatter, all_to_all,",
      "reduce, gather, scatter, send_recv, barrier, or all. Ranks: 2 without -n.",
      "",
      "Sizes, bandwidths and in-place forms mean what they mean in nccl-tests.",
      "time is the average of one batch, min, p50 and p99 are those of samples; each",
      "on the slowest rank. A sample of a fast operation is several iterations.",
      "",
      "of limit: how long the ranks, all at once and without waiting for each other,",
      "take for the least work on plain memory of their own, on one thread each, over",
      "our time: jccl has more threads for large tensors where cores are idle. For an",
      "all_reduce of B bytes each of n ranks sums B/n bytes out of n arrays into n.",
      "With tcp, or several hosts: how long plain sockets between the ranks take for",
      "the least traffic. docs/performance.md lists both for each operation.",
      "",
      "--against runs the same on OpenMPI (mpicc and mpirun on PATH) and on Gloo",
      "(JCOMMS_PYTHON, a Python with torch), one after the other, in every round;",
      "ours/openmpi is our time over OpenMPI's.",
      "",
      "Exit status: 0 all is well, 1 something failed or was wrong, 2 wrong usage.",
      "",
      "  jcomms bench all_reduce -n 2 -b 8 -e 64M -f 2",
      "  jcomms bench all_reduce,broadcast -n 4 --against openmpi,gloo --html b.html",
      "  mpirun -n 4 --bind-to none jcomms bench all_gather --as-rank",
      "",
      "OpenMPI may bind a rank to one core, and its threads with it: --bind-to none.",
    })
public final class BenchCommand implements Callable<Integer> {
  @Parameters(paramLabel = "OPERATION", description = "What to measure.", arity = "0..*")
  private List<String> words = new ArrayList<>();

  @Mixin private BenchOptions bench;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results there, too.")
  private Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with curves there, too.")
  private Path html;

  @Option(
      names = "--as-rank",
      description = "Be one rank, under another launcher's environment; rank 0 reports.")
  private boolean asRank;

  @Option(
      names = {"-p", "--module-path"},
      paramLabel = "PATH",
      description = "Where the backend's module is, if not among JComms' own.")
  private String modulePath = "";

  @Mixin private LaunchOptions launch = new LaunchOptions(2);

  @Spec private CommandSpec spec;

  /** For picocli. */
  public BenchCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Operation> operations = BenchOptions.operations(words);
    LaunchSpec job = launch.checked().heard();
    Outputs files = new Outputs(Optional.ofNullable(json), Optional.ofNullable(html));
    // Of several nodes each may have its own number of ranks.
    int ranks = asRank || job.nodes() > 1 ? 0 : job.ranks();
    if (bench.isLocal() && ranks == 0) {
      throw CliException.usage("--transport=local is one process: neither --nnodes nor --as-rank");
    }
    List<Plan> plans = bench.plans(operations, ranks);
    List<Peer> peers = bench.peers();
    int rounds = bench.rounds();
    knownBackend();
    files.check();
    JavaOptions java = new JavaOptions(bench.jvmFlags(), modules(), List.of());
    if (asRank) {
      refuseLaunchOptions();
      if (!peers.isEmpty() || rounds > 1) {
        throw CliException.usage("--as-rank is one round of ours: no --against, no --rounds");
      }
      List<String> program = new ArrayList<>(List.of(BenchRank.MODULE_AND_CLASS));
      program.add(BenchRank.REPORT);
      program.addAll(files.words());
      plans.forEach(plan -> program.add(text(plan)));
      SingleRank.become(Program.java(program, true), java);
      return 1;
    }
    return new Session(spec.commandLine().getOut(), job, java, peers, rounds, files).run(plans);
  }

  /** Somebody else has started the ranks: nothing is left for these options to say. */
  private void refuseLaunchOptions() {
    ParseResult given = spec.commandLine().getParseResult();
    for (OptionSpec option : spec.mixins().get("launch").options()) {
      if (given.hasMatchedOption(option)) {
        throw CliException.usage(
            "--as-rank is a rank of another launcher's job: no " + option.longestName());
      }
    }
  }

  /** Better said here, once, than by every rank. */
  private void knownBackend() {
    String name = bench.backend();
    if (name.isEmpty() || name.contains(":") || !modulePath.isEmpty()) return;
    try {
      Backends.get(name);
    } catch (IllegalArgumentException e) {
      throw CliException.usage("--backend: " + e.getMessage());
    }
  }

  private List<String> modules() {
    return Stream.of(modulePath.split(File.pathSeparator)).filter(s -> !s.isEmpty()).toList();
  }

  static String text(Plan plan) {
    return new String(Codecs.JSON.encode(plan.toMap()), StandardCharsets.UTF_8);
  }
}
