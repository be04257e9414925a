package dev.jcomms.cli.store;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jcomms store wait}. */
@Command(
    name = "wait",
    description = "Wait until all the keys are there.",
    mixinStandardHelpOptions = true)
final class WaitCommand implements Callable<Integer> {
  @Mixin private ClientOptions client;

  @Parameters(arity = "1..*", paramLabel = "KEY")
  private List<String> keys;

  @Override
  public Integer call() {
    return client.ask(
        store -> {
          store.await(keys, client.timeout());
          return 0;
        });
  }
}
