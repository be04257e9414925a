package dev.jcomms.cli;

import dev.jcomms.cli.bench.BenchCommand;
import dev.jcomms.cli.check.CheckCommand;
import dev.jcomms.cli.info.InfoCommand;
import dev.jcomms.cli.ops.OpsCommand;
import dev.jcomms.cli.plan.PlanCommand;
import dev.jcomms.cli.store.StoreCommand;
import dev.jcomms.cli.trace.TraceCommand;
import dev.jcomms.cli.tune.TuneCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code jcomms}: one class a subcommand, listed here and nowhere else. */
@Command(
    name = "jcomms",
    description = "Collective communication for tensors on the JVM.",
    mixinStandardHelpOptions = true)
public final class Main implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
          RunCommand.class,
          ExecCommand.class,
          DistCommand.class,
          InfoCommand.class,
          OpsCommand.class,
          CheckCommand.class,
          BenchCommand.class,
          TuneCommand.class,
          PlanCommand.class,
          StoreCommand.class,
          TraceCommand.class,
          HelpCommand.class);

  /**
   * Those that work with other subcommands: one describes them, one starts ranks by {@code run}.
   */
  private static final Set<String> NEED_OTHERS = Set.of("help", "check");

  /** Exit status for a defect of this program (EX_SOFTWARE). */
  private static final int DEFECT = 70;

  @Spec private CommandSpec spec;

  private Main() {}

  /** Runs the command and ends the JVM with its exit status. */
  public static void main(String[] args) {
    PlainNumbers.everywhere();
    System.exit(run(args));
  }

  static int run(String... args) {
    CommandLine line = commandLine(args.length == 0 ? "" : args[0]);
    return line.execute(Underscores.toDashes(line, args));
  }

  static CommandLine commandLine() {
    return commandLine("");
  }

  /**
   * The command with its subcommands; only with the one that is called, if it is known. Looking at
   * the options of each takes a large part of the time to start.
   */
  private static CommandLine commandLine(String called) {
    CommandLine line = new CommandLine(new Main());
    boolean known = COMMANDS.stream().anyMatch(type -> isNamed(type, called));
    boolean all = !known || NEED_OTHERS.contains(called);
    COMMANDS.stream().filter(type -> all || isNamed(type, called)).forEach(line::addSubcommand);
    line.setParameterExceptionHandler(Main::explain)
        .setExecutionExceptionHandler(Main::explain)
        .setOverwrittenOptionsAllowed(true) // of scripts that add to a command: the last one holds
        .setUsageHelpAutoWidth(true);
    haveVersion(line);
    // Where a program is named, all that follows is the program's.
    for (CommandLine sub : line.getSubcommands().values()) {
      boolean program = sub.getCommandSpec().mixins().containsKey("java");
      sub.setStopAtPositional(program);
    }
    return line;
  }

  /** Every subcommand offers --version, and each is of the same version. */
  private static void haveVersion(CommandLine line) {
    line.getCommandSpec().versionProvider(new Version());
    line.getSubcommands().values().forEach(Main::haveVersion);
  }

  private static boolean isNamed(Class<?> command, String name) {
    return command.getAnnotation(Command.class).name().equals(name);
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** A command that was given wrongly: the fact, near misses, where help is. */
  private static int explain(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    CommandSpec command = line.getCommandSpec();
    PrintWriter err = line.getErr();
    if (e instanceof UnmatchedArgumentException unmatched) {
      String word = unmatched.getUnmatched().getFirst();
      boolean option = word.startsWith("-");
      Collection<String> names =
          option ? command.optionsMap().keySet() : command.subcommands().keySet();
      String typed = option ? word.replaceFirst("=.*", "").replace('_', '-') : word;
      List<String> near = Suggestions.near(typed, names);
      err.println(
          "jcomms: %s has no %s '%s'%s"
              .formatted(
                  command.qualifiedName(),
                  option ? "option" : names.isEmpty() ? "argument" : "command",
                  word,
                  near.isEmpty()
                      ? option || names.isEmpty() ? "" : "; it has " + String.join(", ", names)
                      : "; did you mean " + String.join(" or ", near) + "?"));
    } else {
      err.println("jcomms: " + e.getMessage());
    }
    err.println("See: " + command.qualifiedName() + " --help");
    return CliException.USAGE;
  }

  /** A command that failed: facts a user can act on, or a stack trace for a defect of ours. */
  private static int explain(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
    if (e instanceof CliException known) {
      line.getErr().println("jcomms: " + known.getMessage());
      if (known.status() == CliException.USAGE) {
        line.getErr().println("See: " + line.getCommandSpec().qualifiedName() + " --help");
      }
      return known.status();
    }
    if (e instanceof UncheckedIOException wrapped) return explain(wrapped.getCause(), line, parsed);
    if (e instanceof IOException trouble) {
      line.getErr().println("jcomms: " + FileTrouble.describe(trouble));
      return 1;
    }
    e.printStackTrace(line.getErr());
    line.getErr().println("jcomms: a defect of JComms itself; please report the lines above");
    return DEFECT;
  }
}
