package dev.jcomms.cli.store;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jcomms store}: serves a store, or asks one, be it JComms' or PyTorch's. */
@Command(
    name = "store",
    description = "Serve a key-value store, or talk to one (PyTorch's TCPStore included).",
    mixinStandardHelpOptions = true,
    subcommands = {
      ServeCommand.class,
      GetCommand.class,
      SetCommand.class,
      AddCommand.class,
      WaitCommand.class,
      KeysCommand.class,
      DeleteCommand.class,
    },
    footer = {
      "",
      "The store's secret is JCOMMS_SECRET, or in the file JCOMMS_SECRET_FILE names.",
      "Exit status: 0 done, 1 a key is absent or no store reached, 2 wrong usage.",
    })
public final class StoreCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** For picocli. */
  public StoreCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "jcomms store needs one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
