package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.CommOptions;
import dev.jcomms.Feature;
import dev.jcomms.OpOptions;
import dev.jcomms.Setting;
import dev.jcomms.internal.bootstrap.Bootstrap;
import dev.jcomms.internal.bootstrap.Lodging;
import dev.jcomms.internal.bootstrap.MeetingPoint;
import dev.jcomms.internal.observe.FlightRing;
import dev.jcomms.internal.observe.NanCheck;
import dev.jcomms.internal.observe.OperationLog;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Makes communicators: the way from the face into the house. */
public final class CommFactory implements Comm.Builder {
  private final String backend;
  private final Device device;
  private final Map<String, String> hints = new HashMap<>();
  private Optional<String> name = Optional.empty();
  private int rank = -1;
  private int size = -1;
  private Store store;
  private Duration timeout;
  private Duration initTimeout;
  private Boolean abortProcessOnError;
  private Map<String, String> environment = System.getenv();

  private CommFactory(String backend, Device device) {
    this.backend = java.util.Objects.requireNonNull(backend, "backend");
    this.device = java.util.Objects.requireNonNull(device, "device");
  }

  public static Comm.Builder newBuilder(String backend, Device device) {
    return new CommFactory(backend, device);
  }

  public static String defaultBackend(Map<String, String> environment) {
    String named = Setting.BACKEND.in(environment).text();
    if (!named.isEmpty()) {
      return named;
    }
    return Backends.find("jccl").isPresent() || Backends.find("reference").isEmpty()
        ? "jccl"
        : "reference";
  }

  @Override
  public Comm.Builder name(String name) {
    this.name = Optional.of(name);
    return this;
  }

  @Override
  public Comm.Builder ranks(int rank, int size) {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new IllegalArgumentException("rank=" + rank + " is not a rank of size=" + size);
    }
    this.rank = rank;
    this.size = size;
    return this;
  }

  @Override
  public Comm.Builder store(Store store) {
    this.store = store;
    return this;
  }

  @Override
  public Comm.Builder timeout(Duration timeout) {
    this.timeout = timeout;
    return this;
  }

  @Override
  public Comm.Builder initTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("initTimeout=" + timeout + " is not positive");
    }
    this.initTimeout = OpOptions.timeout(timeout).timeout().orElseThrow();
    return this;
  }

  @Override
  public Comm.Builder hint(String name, String value) {
    hints.put(name, value);
    return this;
  }

  @Override
  public Comm.Builder abortProcessOnError(boolean abort) {
    this.abortProcessOnError = abort;
    return this;
  }

  @Override
  public Comm.Builder environment(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    return this;
  }

  @Override
  public Comm build() {
    CommOptions options =
        new CommOptions(
            name,
            timeout != null ? timeout : Setting.TIMEOUT_SECONDS.secondsIn(environment),
            hints,
            abortProcessOnError != null
                ? abortProcessOnError
                : Setting.ABORT_ON_ERROR.booleanIn(environment));
    Duration init =
        initTimeout != null ? initTimeout : Setting.INIT_TIMEOUT_SECONDS.secondsIn(environment);
    Watching.in(environment); // Nonsense is refused before anything is opened.
    Map<String, BackendProvider> providers = Routes.parse(backend, device);
    if (name.isPresent()) {
      providers.values().forEach(CommFactory::requireNames);
    }
    Bootstrap.Place place = new Bootstrap(environment, init).find(rank, size, store);
    Lodging lodging = place.lodging().enter();
    Comm made = null;
    try {
      Membership self = member(place, providers, options, init);
      try {
        made = open(self);
        return made;
      } catch (BootstrapException e) {
        // Only a timeout: ranks that disagree have come.
        if (e.getCause() instanceof StoreTimeoutException
            && e.missingRanks().size() == place.size() - 1) {
          uncount(self, e);
        }
        throw e;
      }
    } finally {
      // The communicator has entered by itself; without one, nobody else will be waited for long.
      lodging.leave(made == null ? Membership.AFTER_A_FAILURE : Membership.IN_HEALTH);
    }
  }

  /** Nobody came: an attempt that follows is to be the same one to those that come later. */
  private static void uncount(Membership self, BootstrapException failure) {
    try {
      self.coreStore(Membership.SILENCE).delete("init/" + self.rank());
      String root = self.keys().root();
      String base = root.substring(0, root.lastIndexOf('/'));
      Store store = self.lodging().store(Membership.SILENCE);
      store.add(base + "/made/" + self.rank(), -1);
      self.lodging().uncount(store);
    } catch (StoreException e) {
      failure.addSuppressed(e);
    }
  }

  private Membership member(
      Bootstrap.Place place,
      Map<String, BackendProvider> providers,
      CommOptions options,
      Duration init) {
    String called = name.orElse("main");
    String base = "jcomms/" + Setting.GENERATION.in(environment).text() + "/" + called;
    long nth;
    try {
      // The k-th communicator of a name on one rank belongs with the k-th of that name on the
      // others.
      nth = place.lodging().store().add(base + "/made/" + place.rank(), 1);
    } catch (StoreException e) {
      int host = place.lodging().isAtFirstRank() ? 0 : -1;
      throw sited(e, host, new CommException.Site(called, "init", -1, place.rank(), place.size()));
    }
    return new Membership(
        called,
        place.rank(),
        place.size(),
        IntStream.range(0, place.size()).boxed().toList(),
        device,
        providers,
        options,
        init,
        environment,
        place.lodging(),
        MeetingPoint.of(environment, place.lodging()),
        new StoreKeys(base + "/" + nth));
  }

  /**
   * A name is core's own; only a backend that has gated names, and lacks them at its version,
   * refuses one.
   */
  private static void requireNames(BackendProvider provider) {
    if (provider.features().containsKey(Feature.NAMED_COMMUNICATORS)) {
      FeatureGate.require(provider, Feature.NAMED_COMMUNICATORS);
    }
  }

  /** What the environment says of observing operations. */
  private record Watching(int recorded, boolean logs, boolean refusesNan) {
    static Watching in(Map<String, String> environment) {
      return new Watching(
          Setting.FLIGHT_RECORDER_SIZE.intIn(environment, 1, 10_000_000),
          Setting.LOG_OPERATIONS.booleanIn(environment),
          Setting.NAN_CHECK.booleanIn(environment));
    }
  }

  /** Meets the other members, opens the backends, and is a communicator. */
  static Comm open(Membership self) {
    self.lodging().enter();
    Routes routes = null;
    Comm made = null;
    Meeting meeting = new Meeting(self);
    try {
      Watching watching = Watching.in(self.environment());
      meeting.hold();
      routes =
          meeting.watch(
              () ->
                  Routes.open(
                      self.providers(),
                      self.device(),
                      (backend, where) -> context(self, backend, where)));
      meeting.end();
      made = watched(self, routes, watching);
      self.lodging().requireAnswersWithin(silence(self));
      return made;
    } catch (RuntimeException e) {
      RuntimeException failure = sited(meeting.explain(e), self.storeHost(), self.site("init", -1));
      meeting.tell(failure);
      throw failure;
    } catch (Error e) {
      meeting.tell(e);
      throw e;
    } finally {
      // Also after an Error, such as a backend whose native library does not link.
      if (made == null) {
        if (routes != null) {
          close(routes, self);
        }
        self.leave(true);
      }
    }
  }

  /** How long a store may be silent once the ranks have met: as long as a rank, but not less. */
  private static Duration silence(Membership self) {
    Duration limit = Setting.HEARTBEAT_SECONDS.secondsIn(self.environment());
    return limit.compareTo(Membership.SILENCE) < 0 ? Membership.SILENCE : limit;
  }

  private static Comm watched(Membership self, Routes routes, Watching watching) {
    FlightRing ring =
        new FlightRing(
            new FlightRing.Owner(
                self.name(),
                self.rank(),
                self.size(),
                self.ranks(),
                routes.first().info().toString()),
            watching.recorded());
    Communicator comm = new Communicator(self, routes, ring);
    if (watching.logs()) {
      comm.addHook(new OperationLog());
    }
    if (watching.refusesNan()) {
      comm.addHook(new NanCheck());
    }
    OpenComms.add(comm);
    return comm;
  }

  private static void close(Routes routes, Membership self) {
    for (Routes.Route route : routes.all()) {
      try {
        route.backend().close();
      } catch (RuntimeException e) {
        LastWords.warn(
            "backend '" + route.name() + "' of comm '" + self.name() + "' failed to close", e);
      }
    }
  }

  /** With where it happened; of the store, with the rank that has it, which may be none. */
  private static RuntimeException sited(RuntimeException e, int host, CommException.Site site) {
    return switch (e) {
      case CommException known -> known.comm() == null ? known.at(site) : known;
      case IllegalArgumentException refusal -> refusal;
      case UnsupportedOperationException refusal -> refusal;
      case StoreException store when host < 0 || host == site.rank() ->
          new BootstrapException("the store failed: " + store.getMessage(), Set.of(), store)
              .at(site);
      case StoreException store ->
          new BootstrapException(
                  "the store failed, which rank " + host + " has: " + store.getMessage(),
                  Set.of(host),
                  store)
              .at(site);
      default -> new BackendException(e.toString(), e).at(site);
    };
  }

  private static BackendContext context(Membership self, String backend, Device device) {
    return new BackendContext(
        self.name(),
        self.rank(),
        self.size(),
        self.ranks(),
        device,
        self.backendStore(backend),
        self.initTimeout(),
        self.options().hints(),
        self.environment());
  }
}
