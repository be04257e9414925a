package dev.jcomms.cli;

import dev.jcomms.cli.launch.Job;
import dev.jcomms.cli.launch.LaunchSpec;
import dev.jcomms.cli.launch.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms run}: starts the ranks of a job on this node and watches over them. */
@Command(
    name = "run",
    description = "Start a program as N ranks and watch over them.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "jcomms run [-n N] [OPTION...] PROGRAM [ARGUMENT...]",
    footer = {
      "",
      "PROGRAM is a .java file, a .jar, MODULE/CLASS with -m, or a command after --.",
      "Options are torchrun's, also with underscores; the rest is PROGRAM's own.",
      "When a rank fails, the others are stopped; its exit status is the command's.",
      "HUP, INT and TERM are passed on to the ranks and end the job; USR1 is passed on.",
      "",
      "  jcomms run -n 4 examples/01-hello/Hello.java",
      "  jcomms run -n 2 --open-store -- python3 train.py",
      "  jcomms run -n 8 --nnodes 2 --node-rank 0 --rdzv-endpoint node0:29500 app.jar",
    })
final class RunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LaunchOptions launch;
  @Mixin private JavaProgramOptions java;

  @Parameters(paramLabel = "PROGRAM", description = "What to run, and its arguments.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    LaunchSpec checked = launch.checked();
    Program program =
        launch.asCommand() || afterDashes(spec.commandLine(), words)
            ? Program.command(words, System.getenv().getOrDefault("PATH", ""))
            : Program.java(words, java.module());
    return new Job(checked, program, java.options(), System.getenv()).run();
  }

  /** Whether the program's words came right after {@code --}: options stop at the first of them. */
  private static boolean afterDashes(CommandLine line, List<String> words) {
    List<String> all = line.getParseResult().originalArgs();
    int before = all.size() - words.size() - 1;
    return before >= 0 && all.get(before).equals("--");
  }
}
