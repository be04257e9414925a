package dev.jcomms.cli.store;

import dev.jcomms.cli.Text;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms store get}. */
@Command(
    name = "get",
    description = "Print the value of a key, waiting for it.",
    mixinStandardHelpOptions = true)
final class GetCommand implements Callable<Integer> {
  @Mixin private ClientOptions client;

  @Option(names = "--raw", description = "The bytes as they are, and nothing more.")
  private boolean raw;

  @Parameters(paramLabel = "KEY")
  private String key;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    return client.ask(
        store -> {
          byte[] value = store.get(key, client.timeout());
          Output output = new Output(spec);
          if (raw) {
            output.bytes(value);
          } else {
            output.line(Text.of(value));
          }
          return 0;
        });
  }
}
