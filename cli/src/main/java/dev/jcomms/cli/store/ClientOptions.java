package dev.jcomms.cli.store;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.GivenSecret;
import dev.jcomms.cli.Text;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import java.time.Duration;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Option;

/** Which store to ask, and how long; shared by all commands that ask one. */
final class ClientOptions {
  /** Asking whether a key is there now still takes a connection. */
  private static final Duration TO_CONNECT_NOW = Duration.ofSeconds(2);

  @Option(
      names = "--at",
      paramLabel = "HOST:PORT",
      required = true,
      description = "Where the store is.")
  private String at;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      description =
          "Seconds to wait for the store and for keys, 0 to ask once, of a store that is there"
              + " (default: ${DEFAULT-VALUE}).")
  private double timeout = 10;

  @Option(
      names = "--plain",
      description = "Accept a store that proves no secret although you have one.")
  private boolean plain;

  /** How long to wait for keys. */
  Duration timeout() {
    if (!(timeout >= 0 && timeout < 1e9)) {
      throw CliException.usage("--timeout=" + timeout + " is not a number of seconds");
    }
    return Duration.ofNanos(Math.round(timeout * 1e9));
  }

  /** Connects, asks, and turns what the store has against it into a line and a status. */
  int ask(ToIntFunction<TcpStore> question) {
    Address address = Address.parse("--at", at);
    if (address.port() == 0) throw CliException.usage("--at=" + at + " has no port");
    Duration patience = timeout();
    TcpStoreOptions options =
        TcpStoreOptions.defaults()
            .timeout(patience.isZero() ? TO_CONNECT_NOW : patience)
            .plainServer(plain);
    var secret = GivenSecret.in(System.getenv());
    if (secret.isPresent()) options = options.secret(secret.get());
    try (TcpStore store = TcpStore.connect(address.host(), address.port(), options)) {
      return question.applyAsInt(store);
    } catch (StoreTimeoutException e) {
      throw CliException.failure(
          e.missing().isEmpty() ? e.getMessage() : absent(e.missing().size(), e));
    } catch (StoreException e) {
      // The store's advice is for programs; here the same is an option.
      throw CliException.failure(
          e.getMessage()
              .replace("TcpStoreOptions.plainServer would accept that", "--plain accepts that"));
    } catch (IllegalArgumentException e) {
      throw CliException.usage(e.getMessage());
    }
  }

  private static String absent(int count, StoreTimeoutException e) {
    StringBuilder names = new StringBuilder();
    for (String key : e.missing()) {
      names.append(names.isEmpty() ? "" : ", ").append('\'').append(Text.of(key)).append('\'');
    }
    return "no key%s %s at %s within %s s"
        .formatted(count == 1 ? "" : "s", names, e.store(), e.timeout().toMillis() / 1000.0);
  }
}
