package dev.jcomms.cli.plan;

import dev.jcomms.jccl.plan.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms plan convert}. */
@Command(
    name = "convert",
    description = "Read a plan and write it anew: the same content, our order of keys.",
    mixinStandardHelpOptions = true,
    footer = {"", "Exit status: 0 written, 1 not written, 2 no plan or wrong usage."})
final class PlanConvertCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "A plan.")
  private Path file;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where it goes (default: standard output).")
  private Path output;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Plan plan = PlanFile.read(file);
    PlanFile.write(plan, output, spec.commandLine().getOut());
    return 0;
  }
}
