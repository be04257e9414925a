package dev.jcomms.cli.plan;

import static dev.jcomms.cli.bench.SweepOptions.check;
import static dev.jcomms.cli.bench.SweepOptions.parsed;

import dev.jcomms.CommException;
import dev.jcomms.cli.CliException;
import dev.jcomms.cli.Text;
import dev.jcomms.cli.bench.Sizes;
import dev.jcomms.jccl.internal.exec.PacketType;
import dev.jcomms.jccl.internal.exec.Trial;
import dev.jcomms.jccl.internal.exec.TrialProcesses;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms plan run}: carries a plan out, on ranks of its own, and checks what comes out. */
@Command(
    name = "run",
    description = "Run a plan on as many ranks as it has and check every result.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Ranks are threads, or processes with --processes, on this machine.",
      "Exit status: 0 every result was exact, 1 one was wrong or a launch failed,",
      "2 the file is no plan, or not one for such a message.",
    })
public final class PlanRunCommand implements Callable<Integer> {
  /** For all launches together: so much fits any clock. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  @Parameters(paramLabel = "FILE", description = "The plan, as JSON.")
  private Path file;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      defaultValue = "1K",
      description =
          "Bytes of a rank's message: its input, of a gather or all-gather its output; K, M and G are"
              + " powers of 1024. Default: ${DEFAULT-VALUE}.")
  private String bytes;

  @Option(
      names = "--launches",
      paramLabel = "K",
      defaultValue = "3",
      description = "How often. Default: ${DEFAULT-VALUE}.")
  private int launches;

  @Option(names = "--processes", description = "Ranks are processes instead of threads.")
  private boolean processes;

  @Option(
      names = "--dtype",
      paramLabel = "TYPE",
      defaultValue = "i32",
      description = "Of the elements. Default: ${DEFAULT-VALUE}.")
  private String dtype;

  @Option(
      names = "--packet",
      paramLabel = "KIND",
      defaultValue = "ll16",
      description = "ll16 or ll8. Default: ${DEFAULT-VALUE}.")
  private String packet;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "How ranks reach each other: local, shm or tcp. Default: what is best.")
  private String transport;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Of each launch. Default: ${DEFAULT-VALUE}.")
  private long seconds;

  @Spec private CommandSpec spec;

  /** For picocli. */
  public PlanRunCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Trial trial = trial();
    PrintWriter out = spec.commandLine().getOut();
    Optional<String> difference;
    try {
      trial.requirePossible();
      difference = processes ? TrialProcesses.run(List.of(trial)) : trial.withThreads();
    } catch (IllegalArgumentException e) {
      throw CliException.usage(file + ": " + e.getMessage());
    } catch (CommException e) {
      throw CliException.failure(file + ": " + e.getMessage());
    }
    if (difference.isPresent()) {
      throw CliException.failure(file + ": " + difference.get());
    }
    out.println(
        Text.of(
            "%s: %s on %d %s, %d bytes of %s, %d launches: %s"
                .formatted(
                    file.getFileName(),
                    trial.plan().collective(),
                    trial.plan().ranks().size(),
                    processes ? "processes" : "threads",
                    trial.messageBytes(),
                    trial.dtype(),
                    launches,
                    trial.isComparable() ? "exact" : "ended (no result to compare with)")));
    out.flush();
    return 0;
  }

  private Trial trial() {
    Map<String, String> hints = new HashMap<>();
    if (transport != null) {
      hints.put("transport", transport);
    }
    check(launches > 0, "--launches=%d is not positive", launches);
    check(seconds > 0, "--timeout=%d is not positive", seconds);
    long message = Sizes.parse("--bytes", bytes);
    DType type = parsed("--dtype: ", () -> DType.parse(dtype));
    PacketType kind = packetType();
    try {
      return new Trial(
          PlanFile.read(file),
          message,
          launches,
          type,
          kind,
          hints,
          Duration.ofSeconds(Math.min(seconds, LONGEST.dividedBy(launches + 2L).toSeconds())));
    } catch (IllegalArgumentException e) {
      throw CliException.usage(e.getMessage());
    }
  }

  private PacketType packetType() {
    return switch (packet.toLowerCase(Locale.ROOT)) {
      case "ll16" -> PacketType.LL16;
      case "ll8" -> PacketType.LL8;
      default -> throw CliException.usage("--packet=" + packet + ": there are ll16, ll8");
    };
  }
}
