package dev.jcomms.cli.plan;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jcomms plan}: execution plans, ours and those of MSCCL++'s DSL. */
@Command(
    name = "plan",
    description = "Make execution plans, look at them, prove them, convert them, run them.",
    mixinStandardHelpOptions = true,
    subcommands = {
      PlanShowCommand.class,
      PlanCheckCommand.class,
      PlanConvertCommand.class,
      PlanCompileCommand.class,
      PlanRunCommand.class,
    },
    footer = {
      "",
      "A plan is a JSON file in the format of MSCCL++, made by its DSL or by ours.",
    })
public final class PlanCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** For picocli. */
  public PlanCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "jcomms plan needs one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
