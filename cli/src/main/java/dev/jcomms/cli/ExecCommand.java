package dev.jcomms.cli;

import dev.jcomms.cli.launch.Program;
import dev.jcomms.cli.launch.SingleRank;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jcomms exec}: one rank, for another launcher to start. */
@Command(
    name = "exec",
    description = "Be one rank, under another launcher's environment.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "jcomms exec [OPTION...] PROGRAM [ARGUMENT...]",
    footer = {
      "",
      "PROGRAM is a .java file, a .jar, or MODULE/CLASS with -m. A .java file is compiled once",
      "for all ranks on a host. Rank and world are found as torchrun, mpirun and srun give them.",
      "",
      "  torchrun --no-python --nproc-per-node 4 jcomms exec Hello.java",
      "  mpirun -n 4 jcomms exec Hello.java",
    })
final class ExecCommand implements Callable<Integer> {
  @Mixin private JavaProgramOptions java;

  @Parameters(paramLabel = "PROGRAM", description = "What to run, and its arguments.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    SingleRank.become(Program.java(words, java.module()), java.options());
    return CliException.USAGE;
  }
}
