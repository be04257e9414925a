package dev.jcomms.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Lets options be written as torchrun also takes them, {@code --nproc_per_node} for {@code
 * --nproc-per-node}, without listing every option twice in the help.
 *
 * <p>Only our own options are touched: everything from the program's name on is the program's.
 */
final class Underscores {
  private Underscores() {}

  static String[] toDashes(CommandLine line, String... args) {
    List<String> result = new ArrayList<>(List.of(args));
    CommandSpec command = line.getCommandSpec();
    boolean value = false;
    for (int i = 0; i < args.length; i++) {
      String arg = args[i];
      if (value) {
        value = false;
      } else if (arg.equals("--")) {
        break;
      } else if (!arg.startsWith("-")) {
        CommandLine sub = command.subcommands().get(arg);
        if (sub == null) break;
        command = sub.getCommandSpec();
      } else {
        int equals = arg.indexOf('=');
        String name = equals < 0 ? arg : arg.substring(0, equals);
        OptionSpec option = command.findOption(name.replace('_', '-'));
        if (option == null) continue;
        if (name.startsWith("--")) {
          result.set(i, name.replace('_', '-') + (equals < 0 ? "" : arg.substring(equals)));
        }
        value = equals < 0 && option.arity().min() > 0;
      }
    }
    return result.toArray(String[]::new);
  }
}
