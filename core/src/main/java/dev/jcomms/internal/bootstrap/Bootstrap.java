package dev.jcomms.internal.bootstrap;

import dev.jcomms.BootstrapException;
import dev.jcomms.Setting;
import dev.jcomms.store.FileStore;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds this rank, the number of ranks and the store they meet at: from what was given, else from
 * the environment of whatever started the job ({@link Setting#RANK} lists the launchers), else a
 * world of this rank alone.
 */
public final class Bootstrap {
  /** This rank's place in its job. */
  public record Place(int rank, int size, Lodging lodging) {}

  private record Numbers(int rank, int size, String source) {}

  private final Map<String, String> environment;
  private final Duration timeout;

  public Bootstrap(Map<String, String> environment, Duration timeout) {
    this.environment = environment;
    this.timeout = timeout;
  }

  /**
   * This rank's place.
   *
   * @param rank the rank that was given, or -1; likewise the size
   * @param store the store that was given, or null
   */
  public Place find(int rank, int size, Store store) {
    Numbers numbers = rank >= 0 ? new Numbers(rank, size, "given") : numbers();
    if (store != null) {
      return new Place(numbers.rank(), numbers.size(), Lodging.at(store, secret()));
    }
    try {
      return new Place(numbers.rank(), numbers.size(), lodging(numbers));
    } catch (StoreException e) {
      throw new BootstrapException(
          "rank "
              + numbers.rank()
              + " of "
              + numbers.size()
              + " cannot reach its store: "
              + e.getMessage(),
          Set.of(),
          e);
    }
  }

  private Numbers numbers() {
    List<String> ranks = Setting.RANK.variables();
    List<String> sizes = Setting.SIZE.variables();
    for (int i = 0; i < ranks.size(); i++) {
      String rank = ranks.get(i);
      String size = sizes.get(i);
      boolean hasRank = !environment.getOrDefault(rank, "").isBlank();
      boolean hasSize = !environment.getOrDefault(size, "").isBlank();
      if (hasRank && hasSize) {
        int n = number(size, 1);
        int r = number(rank, 0);
        if (r >= n) {
          throw new BootstrapException(
              rank + "=" + r + " is not below " + size + "=" + n, Set.of(), null);
        }
        return new Numbers(r, n, rank + ", " + size);
      }
      // SLURM sets its size for the whole allocation, also where no task was started.
      if (hasRank != hasSize && !rank.startsWith("SLURM")) {
        throw new BootstrapException(
            (hasRank ? rank : size) + " is set but " + (hasRank ? size : rank) + " is not",
            Set.of(),
            null);
      }
    }
    return new Numbers(0, 1, "a world of one");
  }

  private int number(String variable, int least) {
    try {
      int value = Integer.parseInt(environment.get(variable).strip());
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new BootstrapException(
        variable + "=" + environment.get(variable) + " is not a whole number of at least " + least,
        Set.of(),
        null);
  }

  private Lodging lodging(Numbers numbers) {
    if (numbers.size() == 1) {
      HashStore alone = HashStore.create();
      return new Lodging(alone, secret()).tidy(alone::close);
    }
    String file = Setting.STORE_FILE.in(environment).text();
    if (!file.isEmpty()) {
      FileStore store = FileStore.open(Path.of(file), numbers.size(), timeout);
      return new Lodging(store, secret()).tidy(store::close);
    }
    String host = Setting.MASTER_ADDR.in(environment).text();
    String port = Setting.MASTER_PORT.in(environment).text();
    if (!host.isEmpty() && !port.isEmpty()) {
      boolean hosted = Setting.AGENT_STORE.booleanIn(environment);
      return atAddress(numbers, host, Setting.MASTER_PORT.intIn(environment, 1, 65535), hosted);
    }
    if (OneHost.isWholeJobHere(environment, numbers.size())) {
      return OneHost.meet(environment, numbers.rank(), numbers.size(), timeout);
    }
    throw new BootstrapException(
        "rank "
            + numbers.rank()
            + " of "
            + numbers.size()
            + " ("
            + numbers.source()
            + ") has no store to meet at: set MASTER_ADDR and MASTER_PORT, or JCOMMS_STORE_FILE, or start the ranks with"
            + " jcomms run",
        Set.of(),
        null);
  }

  private Lodging atAddress(Numbers numbers, String host, int port, boolean hostedByLauncher) {
    Optional<StoreSecret> secret = secret();
    boolean hosts = !hostedByLauncher && numbers.rank() == 0;
    if (hosts) {
      HostedStores.at(host, port, secret);
    }
    TcpStoreOptions options = TcpStoreOptions.defaults().timeout(timeout);
    TcpStore store = TcpStore.connect(host, port, secret.map(options::secret).orElse(options));
    Lodging lodging = new Lodging(store, secret).tidy(store::close);
    return hostedByLauncher
        ? lodging
        : lodging.partTogether(
            "jcomms/" + Setting.GENERATION.in(environment).text() + "/farewell",
            numbers.rank(),
            numbers.size(),
            hosts);
  }

  private Optional<StoreSecret> secret() {
    try {
      return StoreSecret.fromEnvironment(environment);
    } catch (StoreException e) {
      throw new BootstrapException(e.getMessage(), Set.of(), e);
    }
  }
}
