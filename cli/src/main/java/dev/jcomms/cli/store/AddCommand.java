package dev.jcomms.cli.store;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms store add}. */
@Command(
    name = "add",
    description = "Add to a counter and print what it is then.",
    mixinStandardHelpOptions = true)
final class AddCommand implements Callable<Integer> {
  @Mixin private ClientOptions client;

  @Parameters(index = "0", paramLabel = "KEY")
  private String key;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "N",
      description = "How much (default: ${DEFAULT-VALUE}); less than 0 after --.",
      defaultValue = "1")
  private long delta;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    return client.ask(
        store -> {
          new Output(spec).line(Long.toString(store.add(key, delta)));
          return 0;
        });
  }
}
