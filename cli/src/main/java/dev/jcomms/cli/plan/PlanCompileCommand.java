package dev.jcomms.cli.plan;

import dev.jcomms.cli.CliException;
import dev.jcomms.jccl.dsl.ProgramException;
import dev.jcomms.jccl.dsl.ProgramSource;
import dev.jcomms.jccl.plan.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms plan compile}. */
@Command(
    name = "compile",
    description = "Make a plan of a program in the DSL, which is a Java source file.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The file has a method CollectiveProgram program(int ranks, ...); its",
      "arguments follow the file, in order or by name.",
      "  jcomms plan compile PacketAllReduce.java ranks=8 -o plan.json",
      "",
      "Exit status: 0 written, 1 not written, 2 no program or wrong usage."
    })
final class PlanCompileCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE", description = "A Java source file.")
  private Path file;

  @Parameters(index = "1..*", paramLabel = "ARGUMENT", description = "An argument of the program.")
  private List<String> arguments = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where the plan goes (default: standard output).")
  private Path output;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Plan plan = plan();
    PlanFile.write(plan, output, spec.commandLine().getOut());
    return 0;
  }

  private Plan plan() {
    try {
      return ProgramSource.load(file, arguments.toArray(String[]::new)).plan();
    } catch (ProgramException e) {
      throw CliException.usage(e.getMessage());
    } catch (IOException e) {
      throw CliException.usage(file + " cannot be read: " + e.getMessage());
    }
  }
}
