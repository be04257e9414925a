package dev.jcomms.cli.bench;

import static dev.jcomms.cli.bench.SweepOptions.check;
import static dev.jcomms.cli.bench.SweepOptions.parsed;

import dev.jcomms.ReduceOp;
import dev.jcomms.cli.CliException;
import dev.jcomms.cli.bench.measure.Pace;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.op.Operation;
import dev.jcomms.cli.bench.op.Operations;
import dev.jcomms.cli.bench.peer.Peer;
import dev.jcomms.cli.bench.peer.Peers;
import dev.jcomms.tensor.DType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What to measure, and how, and what the options add up to. */
final class BenchOptions {
  @Mixin private SweepOptions sweep = new SweepOptions("8", "64M");

  @Option(
      names = {"-i", "--step-bytes"},
      paramLabel = "SIZE",
      description = "From one size to the next, plus this.")
  private String step;

  @Option(
      names = {"-o", "--op"},
      paramLabel = "OP",
      description = "How reductions combine: sum, product, min, max, avg, ... (default: sum).")
  private String redop = "sum";

  @Option(
      names = "--root",
      paramLabel = "RANK",
      description = "The root, where there is one (default: 0).")
  private int root;

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      description = "The algorithm (default: the backend's choice).")
  private String algorithm = "";

  @Option(
      names = "--hint",
      paramLabel = "NAME=VALUE",
      description = "A hint for the backend, as host.threads=1; repeatable.")
  private Map<String, String> hints = new TreeMap<>();

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      description = "The backend (default: what a program gets).")
  private String backend = "";

  @Option(
      names = {"-w", "--warmup"},
      paramLabel = "N",
      description = "Iterations before measuring (default: until two batches in a row agree).")
  private Integer warmup;

  @Option(
      names = "--iters",
      paramLabel = "N",
      description = "Iterations to measure (default: as many as fit --time).")
  private Integer iterations;

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      description = "How long to measure each form of each size (default: 0.25).")
  private double seconds = 0.25;

  @Option(
      names = "--no-check",
      negatable = true,
      description = "Compare the results of one iteration a size with what they must be; on.")
  private boolean check = true;

  @Option(
      names = "--no-limit",
      negatable = true,
      description = "Measure the machine's own limit beside; on.")
  private boolean limit = true;

  @Option(
      names = "--against",
      paramLabel = "PEER",
      split = ",",
      description = "Measure these, too, in turn with ours: openmpi, gloo.")
  private List<String> against = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often to measure all; medians are shown (default: 3 with peers, else 1).")
  private Integer rounds;

  /** The operations that the words name, each once. */
  static List<Operation> operations(List<String> words) {
    Set<Operation> operations = new LinkedHashSet<>();
    for (String word : words) {
      for (String name : word.split(",")) {
        if (name.equals("all")) {
          operations.addAll(Operations.all());
        } else {
          operations.add(parsed("", () -> Operations.of(name)));
        }
      }
    }
    if (operations.isEmpty()) {
      throw CliException.usage("name an operation: " + Operations.names() + ", or all");
    }
    return List.copyOf(operations);
  }

  /** One plan an operation, for so many ranks; 0 if only the ranks will know. */
  List<Plan> plans(List<Operation> operations, int ranks) {
    List<Long> sizes = sweep.sizes(step);
    DType type = sweep.dtype();
    ReduceOp how = parsed("--op: ", () -> ReduceOp.parse(redop));
    check(root >= 0, "--root=%d is negative", root);
    check(ranks == 0 || root < ranks, "--root=%d is not a rank of %d", root, ranks);
    List<Plan> plans = new ArrayList<>();
    for (Operation op : operations) {
      check(
          ranks == 0 || ranks >= op.leastRanks() || operations.size() > 1,
          "%s needs at least %d ranks; -n %d",
          op.opName(),
          op.leastRanks(),
          ranks);
      if (ranks > 0 && ranks < op.leastRanks()) continue;
      check(op.accepts(type, how), "--op=%s cannot combine --dtype=%s", how.opName(), type);
      plans.add(
          new Plan(
              op,
              sizes,
              type,
              how,
              root,
              backend,
              sweep.transport(),
              sweep.isSymmetric(),
              hints(),
              algorithm,
              sweep.isLocal() ? ranks : 0,
              pace(),
              check && op.moves(),
              limit));
    }
    return plans;
  }

  private Map<String, String> hints() {
    for (String owned : List.of("transport", "algorithm")) {
      check(!hints.containsKey(owned), "--hint %s: use --%s", owned, owned);
    }
    return hints;
  }

  private Pace pace() {
    check(warmup == null || warmup >= 0, "--warmup=%d is negative", warmup);
    check(iterations == null || iterations > 0, "--iters=%d is not positive", iterations);
    check(
        seconds > 0 && seconds <= 3600, "--time=%s is not a number of seconds up to 3600", seconds);
    return new Pace(
        warmup == null ? Pace.ADAPTIVE : warmup,
        iterations == null ? Pace.ADAPTIVE : iterations,
        Duration.ofNanos(Math.round(seconds * 1e9)));
  }

  List<Peer> peers() {
    return new LinkedHashSet<>(against)
        .stream().map(name -> parsed("--against: ", () -> Peers.of(name))).toList();
  }

  int rounds() {
    check(rounds == null || rounds > 0, "--rounds=%d is not positive", rounds);
    return rounds != null ? rounds : against.isEmpty() ? 1 : 3;
  }

  String backend() {
    return backend;
  }

  boolean isLocal() {
    return sweep.isLocal();
  }

  List<String> jvmFlags() {
    return sweep.jvmFlags();
  }
}
