package dev.jcomms.cli;

import dev.jcomms.cli.launch.Program;
import dev.jcomms.cli.launch.SingleRank;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms exec}: one rank, for another launcher to start. */
@Command(
    name = "exec",
    description = "Be one rank, under another launcher's environment.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "jcomms exec [OPTION...] PROGRAM [ARGUMENT...]",
    footer = {
      "",
      "PROGRAM is a .java file, a .jar, or MODULE/CLASS with -m.",
      "A .java file is compiled once for all ranks on a host.",
      "Rank and world are found as torchrun, mpirun and srun give them.",
      "",
      "  torchrun --no-python --nproc-per-node 4 jcomms exec Hello.java",
      "  mpirun -n 4 jcomms exec Hello.java",
    })
final class ExecCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private JavaProgramOptions java;

  @Parameters(paramLabel = "PROGRAM", description = "What to run, and its arguments.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    List<String> all = spec.commandLine().getParseResult().originalArgs();
    int before = all.size() - words.size() - 1;
    if (!words.isEmpty() && before >= 0 && all.get(before).equals("--")) {
      throw CliException.usage(
          "exec is for Java programs; '%s' needs no jcomms to be a rank: start it directly"
              .formatted(words.getFirst()));
    }
    SingleRank.become(Program.java(words, java.module()), java.options());
    return CliException.USAGE;
  }
}
