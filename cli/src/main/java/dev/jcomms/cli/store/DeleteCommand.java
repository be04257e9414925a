package dev.jcomms.cli.store;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jcomms store delete}. */
@Command(name = "delete", description = "Delete keys.", mixinStandardHelpOptions = true)
final class DeleteCommand implements Callable<Integer> {
  @Mixin private ClientOptions client;

  @Parameters(arity = "1..*", paramLabel = "KEY")
  private List<String> keys;

  @Override
  public Integer call() {
    return client.ask(
        store -> {
          List<String> absent = new ArrayList<>();
          for (String key : keys) {
            if (!store.delete(key)) absent.add("'" + Text.of(key) + "'");
          }
          if (!absent.isEmpty()) {
            throw CliException.failure("no key " + String.join(", ", absent) + " to delete");
          }
          return 0;
        });
  }
}
