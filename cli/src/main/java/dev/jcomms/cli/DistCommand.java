package dev.jcomms.cli;

import dev.jcomms.cli.dist.Bundle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jcomms dist}: one archive for machines without Java. */
@Command(
    name = "dist",
    description = "Make one archive that runs where there is no Java.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The archive holds bin/jcomms, all modules, docs, examples and a Java runtime.",
      "--jdk names the JDK whose runtime goes in; for another platform it needs its",
      "jmods folder.",
    })
final class DistCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write it (default: jcomms-VERSION-OS-ARCH.tar.gz here).")
  private Path output;

  @Option(names = "--jdk", paramLabel = "DIR", description = "JDK to take the runtime from.")
  private Path jdk;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Bundle bundle = Bundle.of(Optional.ofNullable(jdk));
    Path file = output == null ? Path.of(bundle.name() + ".tar.gz") : output;
    long bytes = bundle.write(file);
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%s (%.1f MB)%n", file, bytes / 1e6);
    return 0;
  }
}
