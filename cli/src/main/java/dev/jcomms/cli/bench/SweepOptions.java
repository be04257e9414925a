package dev.jcomms.cli.bench;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options of all commands that measure over a range of sizes: which, of what, and how moved. */
public final class SweepOptions {
  private static final List<String> TRANSPORTS = List.of(Plan.AUTO, "shm", "tcp", "local");

  /** Flags that say how large a heap, or a part of it, is. */
  private static final Pattern HEAP = Pattern.compile("-Xm[nsx]|-XX:.*(NewSize|HeapSize|RAM)");

  @Option(
      names = {"-b", "--min-bytes"},
      paramLabel = "SIZE",
      description = "Smallest size, such as 8, 4K, 1M (default: ${DEFAULT-VALUE}).")
  private String least;

  @Option(
      names = {"-e", "--max-bytes"},
      paramLabel = "SIZE",
      description = "Largest size (default: ${DEFAULT-VALUE}).")
  private String most;

  @Option(
      names = {"-f", "--step-factor"},
      paramLabel = "N",
      description = "From one size to the next, times this (default: 2).")
  private Integer factor;

  @Option(
      names = {"-d", "--dtype"},
      paramLabel = "DTYPE",
      description = "Type of the elements (default: ${DEFAULT-VALUE}).")
  private String dtype = "f32";

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description =
          "How bytes move: shm, tcp, or local for ranks that are threads of one JVM (default: auto,"
              + " the backend's choice).")
  private String transport = Plan.AUTO;

  @Option(names = "--symmetric", description = "Use symmetric tensors.")
  private boolean symmetric;

  @Option(
      names = "-J",
      paramLabel = "FLAG",
      description = "A flag for the JVM of every rank, such as -J-Xmx2g; repeatable.")
  private List<String> jvm = new ArrayList<>();

  /** With these sizes unless told otherwise. */
  public SweepOptions(String least, String most) {
    this.least = least;
    this.most = most;
  }

  /** The sizes, by factors. */
  public List<Long> sizes() {
    return Sizes.byFactor(from(), to(), factor == null ? 2 : factor);
  }

  /** The sizes, by steps of so many bytes; by factors if it is null. */
  List<Long> sizes(String step) {
    check(factor == null || step == null, "-f and -i exclude each other");
    return step == null ? sizes() : Sizes.byStep(from(), to(), Sizes.parse("-i", step));
  }

  private long from() {
    return Sizes.parse("-b", least);
  }

  private long to() {
    return Sizes.parse("-e", most);
  }

  public DType dtype() {
    return parsed("--dtype: ", () -> DType.parse(dtype));
  }

  public String transport() {
    check(
        TRANSPORTS.contains(transport),
        "--transport=%s: there are %s",
        transport,
        String.join(", ", TRANSPORTS));
    return transport;
  }

  /** Whether ranks are threads of one JVM. */
  public boolean isLocal() {
    return transport.equals("local");
  }

  public boolean isSymmetric() {
    return symmetric;
  }

  /**
   * Flags for ranks that are measured, unless the user has chosen others: a collector without
   * threads of its own, so that the pauses of one rank take no core from another; and a young
   * generation so small that it is in use as a whole before anything is measured. A page that is
   * touched for the first time delays its rank, and what delays one rank delays all.
   */
  public List<String> jvmFlags() {
    List<String> flags = new ArrayList<>();
    if (jvm.stream().noneMatch(flag -> flag.startsWith("-XX:+Use") && flag.endsWith("GC"))) {
      flags.add("-XX:+UseSerialGC");
    }
    if (jvm.stream().noneMatch(flag -> HEAP.matcher(flag).lookingAt())) {
      flags.add("-Xmn32m");
    }
    flags.addAll(jvm);
    return flags;
  }

  /** What does not hold is wrong usage. */
  public static void check(boolean holds, String otherwise, Object... facts) {
    if (!holds) throw CliException.usage(String.format(Locale.ROOT, otherwise, facts));
  }

  /** What a parser refuses is wrong usage. */
  public static <T> T parsed(String option, Supplier<T> parser) {
    try {
      return parser.get();
    } catch (IllegalArgumentException e) {
      throw CliException.usage(option + e.getMessage());
    }
  }
}
