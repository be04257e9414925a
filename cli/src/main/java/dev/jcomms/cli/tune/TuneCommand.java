package dev.jcomms.cli.tune;

import static dev.jcomms.cli.bench.SweepOptions.check;
import static dev.jcomms.cli.bench.SweepOptions.parsed;

import dev.jcomms.ReduceOp;
import dev.jcomms.Setting;
import dev.jcomms.cli.CliException;
import dev.jcomms.cli.LaunchOptions;
import dev.jcomms.cli.ResultFile;
import dev.jcomms.cli.bench.SweepOptions;
import dev.jcomms.cli.launch.JavaOptions;
import dev.jcomms.cli.launch.Job;
import dev.jcomms.cli.launch.LaunchSpec;
import dev.jcomms.cli.launch.Program;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Tuner;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jcomms tune}: which algorithm is the fastest here, for each size. */
@Command(
    name = "tune",
    description = "Measure which algorithm is the fastest for each size, and keep it in a table.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "jcomms tune [-n N] [--collectives NAME,...] [-b SIZE] [-e SIZE] [-o FILE]",
    footer = {
      "",
      "Results are checked before anything is timed. A time is the median of several",
      "turns, on the slowest rank; another algorithm than jccl's own choice must win by",
      "more than the noise, twice. A file that is there keeps what it says of other",
      "machines and worlds, of other collectives, and of the other kind of tensors.",
      "jcomms info --algorithms shows what jccl's own choice is.",
      "",
      "A communicator uses the table by JCOMMS_TUNING=FILE, or by its hint tuning=FILE,",
      "on the machine it was made on and with as many ranks.",
      "",
      "Exit status: 0 all is well, 1 something failed or gave wrong results, 2 wrong",
      "usage.",
      "",
      "  jcomms tune -n 4 --collectives all_reduce,all_gather -e 128M -o tuning.json",
      "  JCOMMS_TUNING=tuning.json jcomms bench all_reduce -n 4",
    })
public final class TuneCommand implements Callable<Integer> {
  @Option(
      names = "--collectives",
      paramLabel = "NAME",
      split = ",",
      description = "What to tune, or all (default: all_reduce).")
  private List<String> collectives = List.of("all_reduce");

  @Mixin private SweepOptions sweep = new SweepOptions("1K", "128M");

  @Option(
      names = "--op",
      paramLabel = "OP",
      description = "How reductions combine: sum, product, min, max (default: sum).")
  private String redop = "sum";

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      description = "How long each algorithm is measured at a time (default: 0.01).")
  private double seconds = 0.01;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each is measured (default: 7).")
  private int rounds = 7;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "A plan to try, too; repeatable. A table that names it needs it.")
  private List<Path> plans = new ArrayList<>();

  @Option(
      names = "--native",
      paramLabel = "FILE",
      description = "An algorithm in Java source to try, too; repeatable.")
  private List<Path> sources = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where the table goes (default: tuning.json).")
  private Path output = Path.of("tuning.json");

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with the winners by size there, too.")
  private Path html;

  @Mixin private LaunchOptions launch = new LaunchOptions(2);

  @Spec private CommandSpec spec;

  /** For picocli. */
  public TuneCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    LaunchSpec job = launch.checked().heard();
    for (String variable : Setting.TUNING.variables()) {
      // What is measured is what jccl does by itself, not what another table has it do.
      job = job.withVariable(variable, "");
    }
    TunePlan plan = plan(job);
    TuningTable known = known();
    if (html != null) {
      ResultFile.checkDifferent("--output", output, "--html", html);
      ResultFile.check(html);
    }
    ResultFile.check(output);
    PrintWriter out = spec.commandLine().getOut();
    List<Tuner.Progress> sizes = new ArrayList<>();
    List<TuningTable> tables = new ArrayList<>();
    ProgressBar bar = new ProgressBar(System.err);
    int status =
        new Job(
                plan.threads() > 0 ? job.withRanks(1) : job,
                Program.java(List.of(TuneRank.MODULE_AND_CLASS, plan.text()), true),
                new JavaOptions(sweep.jvmFlags(), List.of(), List.of()),
                System.getenv(),
                line -> {
                  Optional<TuneMessage> message = TuneMessage.parse(line);
                  if (message.isEmpty()) out.println(line);
                  switch (message.orElse(null)) {
                    case TuneMessage.Size(Tuner.Progress progress) -> {
                      sizes.add(progress);
                      bar.show(progress);
                    }
                    case TuneMessage.Done(TuningTable table) -> tables.add(table);
                    case null -> {}
                  }
                })
            .run();
    bar.end();
    if (status != 0 || job.nodeRank() > 0) return status;
    TuningTable.Profile profile = tables.getFirst().profiles().getFirst();
    write(output, known.with(profile).toJson());
    TuneReport.print(out, profile.hardware(), sizes);
    out.println("# written to " + output);
    if (html != null) {
      write(html, HeatMap.page(profile.hardware(), sizes));
      out.println("# and to " + html);
    }
    out.flush();
    return TuneReport.wrong(sizes).isEmpty() ? 0 : 1;
  }

  private static void write(Path file, String text) throws IOException {
    ResultFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** What the file holds by now. */
  private TuningTable known() throws IOException {
    if (!Files.exists(output) || Files.size(output) == 0) return new TuningTable(List.of());
    try {
      return TuningTable.read(output);
    } catch (IllegalArgumentException e) {
      throw CliException.usage("-o: " + e.getMessage() + "; it is not overwritten");
    }
  }

  private TunePlan plan(LaunchSpec job) throws IOException {
    LinkedHashSet<String> names = new LinkedHashSet<>();
    for (String name : collectives) {
      if (name.equals("all")) names.addAll(AlgorithmCollection.collectives());
      else names.add(name.replace('-', '_'));
    }
    for (String name : names) {
      check(
          AlgorithmCollection.collectives().contains(name),
          "--collectives: no collective named '%s'; there are %s, or all",
          name,
          String.join(", ", AlgorithmCollection.collectives()));
    }
    check(!sweep.isLocal() || job.nodes() == 1, "--transport=local is one process: no --nnodes");
    check(rounds > 0, "--rounds=%d is not positive", rounds);
    check(seconds > 0 && seconds <= 60, "--time=%s is not a number of seconds up to 60", seconds);
    DType type = sweep.dtype();
    ReduceOp how = parsed("--op: ", () -> ReduceOp.parse(redop));
    check(
        how.accepts(type)
            && List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX).contains(how),
        "--op=%s of --dtype=%s is not tuned",
        redop,
        type);
    List<String> planFiles = plans.stream().map(file -> file.toAbsolutePath().toString()).toList();
    List<String> sourceFiles =
        sources.stream().map(file -> file.toAbsolutePath().toString()).toList();
    try {
      TuneRank.algorithms(planFiles, sourceFiles); // better said here, once, than by every rank
    } catch (IllegalArgumentException e) {
      throw CliException.usage(e.getMessage());
    }
    return new TunePlan(
        List.copyOf(names),
        sweep.sizes(),
        type.toString(),
        redop,
        sweep.transport(),
        sweep.isSymmetric(),
        sweep.isLocal() ? job.ranks() : 0,
        Math.round(seconds * 1e9),
        rounds,
        planFiles,
        sourceFiles);
  }
}
