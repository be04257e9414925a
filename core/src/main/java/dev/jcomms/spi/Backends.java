package dev.jcomms.spi;

import dev.jcomms.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The backends there are: those registered here, then those on the module path or class path. Any
 * thread.
 */
public final class Backends {
  private static final Map<String, BackendProvider> REGISTERED = new ConcurrentHashMap<>();
  private static final System.Logger LOG = System.getLogger("dev.jcomms");

  private Backends() {}

  /**
   * Adds a backend under a name, before any of the same name on the module path.
   *
   * @throws IllegalArgumentException if the name is taken by another registration, or not a name
   */
  public static Registration register(String name, BackendProvider provider) {
    if (!name.matches("[a-z0-9][a-z0-9_-]*")) {
      throw new IllegalArgumentException(
          "backend name '" + name + "' is not lower-case letters, digits, - and _");
    }
    if (REGISTERED.putIfAbsent(name, provider) != null) {
      throw new IllegalArgumentException("a backend named '" + name + "' is registered already");
    }
    return () -> REGISTERED.remove(name, provider);
  }

  /** The backend of a name, if there is one. */
  public static Optional<BackendProvider> find(String name) {
    return Optional.ofNullable(all().get(name));
  }

  /**
   * The backend of a name.
   *
   * @throws IllegalArgumentException that lists the names there are and where they were looked for
   */
  public static BackendProvider get(String name) {
    Map<String, BackendProvider> all = all();
    BackendProvider provider = all.get(name);
    if (provider == null) {
      throw new IllegalArgumentException(
          "no backend named '"
              + name
              + "'; available: "
              + all.keySet()
              + " (looked in Backends.register, the module path and the class path); "
              + hint(name));
    }
    return provider;
  }

  /** Every backend by its name, sorted. */
  public static Map<String, BackendProvider> all() {
    Map<String, BackendProvider> all = new TreeMap<>();
    for (BackendProvider provider : discovered()) {
      BackendProvider first = all.putIfAbsent(provider.name(), provider);
      if (first != null && first.getClass() != provider.getClass()) {
        LOG.log(
            System.Logger.Level.WARNING,
            "two backends are named {0}: {1} is used, {2} is not",
            provider.name(),
            first.getClass().getName(),
            provider.getClass().getName());
      }
    }
    all.putAll(REGISTERED);
    return all;
  }

  /** Core's own loader sees the module path; the thread's sees what a container has added. */
  private static List<BackendProvider> discovered() {
    List<BackendProvider> found = new ArrayList<>();
    load(ServiceLoader.load(BackendProvider.class, Backends.class.getClassLoader()), found);
    load(ServiceLoader.load(BackendProvider.class), found);
    return found;
  }

  private static void load(ServiceLoader<BackendProvider> loader, List<BackendProvider> found) {
    var providers = loader.stream().iterator();
    while (true) {
      try {
        if (!providers.hasNext()) {
          return;
        }
        found.add(providers.next().get());
      } catch (ServiceConfigurationError e) {
        // One broken provider must not hide the others.
        LOG.log(System.Logger.Level.WARNING, "a backend provider cannot be loaded", e);
      }
    }
  }

  private static String hint(String name) {
    return switch (name) {
      case "jccl" -> "add jcomms-jccl to the module path";
      case "nccl" -> "add jcomms-cuda to the module path";
      case "gloo" -> "add jcomms-torch to the module path";
      case "reference" -> "add jcomms-testkit to the module path";
      default -> "add the module that provides it to the module path";
    };
  }
}
