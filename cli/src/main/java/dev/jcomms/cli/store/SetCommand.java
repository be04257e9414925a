package dev.jcomms.cli.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jcomms store set}. */
@Command(
    name = "set",
    description = "Set a key to a value, or to what stdin has.",
    mixinStandardHelpOptions = true)
final class SetCommand implements Callable<Integer> {
  @Mixin private ClientOptions client;

  @Parameters(index = "0", paramLabel = "KEY")
  private String key;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VALUE",
      description = "Text; without it the value is read from stdin, byte for byte.")
  private String value;

  @Override
  public Integer call() throws IOException {
    byte[] bytes =
        value == null ? System.in.readAllBytes() : value.getBytes(StandardCharsets.UTF_8);
    return client.ask(
        store -> {
          store.set(key, bytes);
          return 0;
        });
  }
}
