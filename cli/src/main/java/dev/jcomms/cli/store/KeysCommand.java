package dev.jcomms.cli.store;

import dev.jcomms.cli.Text;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms store keys}. */
@Command(
    name = "keys",
    description = "Print the keys, sorted, one a line.",
    mixinStandardHelpOptions = true)
final class KeysCommand implements Callable<Integer> {
  @Mixin private ClientOptions client;

  @Option(names = "--raw", description = "The bytes as they are, each key ended by a NUL byte.")
  private boolean raw;

  @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Only keys that begin so.")
  private String prefix = "";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    return client.ask(
        store -> {
          Output output = new Output(spec);
          for (String key : new TreeSet<>(store.listKeys())) {
            if (!key.startsWith(prefix)) continue;
            if (raw) {
              output.bytes((key + "\0").getBytes(StandardCharsets.UTF_8));
            } else {
              output.line(Text.of(key));
            }
          }
          return 0;
        });
  }
}
