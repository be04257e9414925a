package dev.jcomms.tensor.internal;

import static java.lang.System.Logger.Level.WARNING;

import dev.jcomms.tensor.spi.DeviceProvider;
import dev.jcomms.tensor.spi.OperatorLibrary;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;

/** Finds what other modules and jars provide. One that is broken is logged and left out. */
public final class Services {
  private Services() {}

  public static void devices(Consumer<DeviceProvider> each) {
    // This module's own loader sees the module path; the thread's sees what a container has added.
    Set<Class<?>> seen = new HashSet<>();
    take(ServiceLoader.load(DeviceProvider.class, Services.class.getClassLoader()), seen, each);
    take(ServiceLoader.load(DeviceProvider.class), seen, each);
  }

  public static List<OperatorLibrary> libraries() {
    List<OperatorLibrary> found = new ArrayList<>();
    Set<Class<?>> seen = new HashSet<>();
    take(
        ServiceLoader.load(OperatorLibrary.class, Services.class.getClassLoader()),
        seen,
        found::add);
    take(ServiceLoader.load(OperatorLibrary.class), seen, found::add);
    return found;
  }

  private static <S> void take(ServiceLoader<S> loader, Set<Class<?>> seen, Consumer<S> each) {
    Iterator<ServiceLoader.Provider<S>> providers = loader.stream().iterator();
    while (true) {
      try {
        if (!providers.hasNext()) {
          return;
        }
        ServiceLoader.Provider<S> provider = providers.next();
        if (seen.add(provider.type())) {
          each.accept(provider.get());
        }
      } catch (ServiceConfigurationError | RuntimeException e) {
        leftOut("a provided device or operator library", e);
      }
    }
  }

  /** Says that something provided is not there, and why. */
  public static void leftOut(String what, Throwable why) {
    System.getLogger("dev.jcomms.tensor") // looked up here: a logger is slow to come by
        .log(WARNING, what + " is left out", why);
  }
}
