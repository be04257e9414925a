package dev.jcomms.cli.trace;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.Text;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms trace}: one picture, and one verdict, out of the flight records of all ranks. */
@Command(
    name = "trace",
    description = "Merge flight records of all ranks and say which rank fell behind.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Flight records are written on a timeout or an abort, into",
      "JCOMMS_FLIGHT_RECORDER_DIR.",
      "The trace opens in https://ui.perfetto.dev and in chrome://tracing.",
      "Exit status: 0 done, 1 a file was bad (the others are used), 2 wrong usage.",
    })
public final class TraceCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "DUMP",
      description = "Flight records, or folders of them (their *.json).")
  private List<Path> dumps;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where the Chrome/Perfetto trace goes; without it only the verdict is printed.")
  private Path output;

  @Spec private CommandSpec spec;

  /** For picocli. */
  public TraceCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    List<Dump> read = new ArrayList<>();
    boolean bad = false;
    for (Path file : files()) {
      try {
        read.add(Dump.read(file));
      } catch (IOException | IllegalArgumentException e) {
        bad = true;
        err.println("jcomms: " + Text.of(file + ": " + e.getMessage()));
      }
    }
    err.flush();
    if (read.isEmpty()) throw CliException.failure("no flight record among " + dumps);
    PrintWriter out = spec.commandLine().getOut();
    List<Group> groups = Group.of(read);
    for (Group group : groups) {
      // A record may hold anything, also what a terminal would obey.
      for (String line : new Diagnosis(group).lines()) out.println(Text.of(line));
    }
    if (output != null) {
      long events = ChromeTrace.write(groups, output);
      out.println("trace of " + events + " operations written to " + output);
    }
    out.flush();
    return bad ? 1 : 0;
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path path : dumps) {
      if (!Files.isDirectory(path)) {
        files.add(path);
        continue;
      }
      try (Stream<Path> inside = Files.list(path)) {
        files.addAll(inside.filter(p -> p.toString().endsWith(".json")).sorted().toList());
      }
    }
    return files;
  }
}
