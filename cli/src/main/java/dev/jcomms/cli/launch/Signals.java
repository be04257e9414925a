package dev.jcomms.cli.launch;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Signals sent to this process, taken over from the JVM until closed.
 *
 * <p>{@code sun.misc.Signal} is the JDK's own way and is exported by {@code jdk.unsupported}; it is
 * reached by reflection because naming it is a compiler warning that cannot be turned off. SIGQUIT
 * stays with the JVM, which prints its threads.
 */
final class Signals implements AutoCloseable {
  private static final List<String> TAKEN = List.of("HUP", "INT", "TERM", "USR1");

  private static final Set<Integer> ENDING = Set.of(1, 2, 15);

  private final List<Runnable> undo = new ArrayList<>();

  /** Calls {@code receiver} with the number of each signal that arrives, on a thread of its own. */
  Signals(IntConsumer receiver) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      var number = signal.getMethod("getNumber");
      var handle = signal.getMethod("handle", signal, handler);
      Object ours =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      receiver.accept((int) number.invoke(arguments[0]));
                      yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "signals of the launcher";
                  });
      for (String name : TAKEN) {
        Object one = signal.getConstructor(String.class).newInstance(name);
        Object before = handle.invoke(null, one, ours);
        undo.add(() -> restore(handle, one, before));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no sun.misc.Signal in this Java", e);
    }
  }

  /** Whether a signal asks a program to end; others are only passed on. */
  static boolean ends(int number) {
    return ENDING.contains(number);
  }

  /** The first signal that waits to be heard and asks us to end. */
  static OptionalInt ending(Collection<Event> events) {
    return events.stream()
        .filter(Event.Signalled.class::isInstance)
        .mapToInt(event -> ((Event.Signalled) event).number())
        .filter(Signals::ends)
        .findFirst();
  }

  private static void restore(Method handle, Object signal, Object before) {
    try {
      handle.invoke(null, signal, before);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    undo.forEach(Runnable::run);
    undo.clear();
  }
}
