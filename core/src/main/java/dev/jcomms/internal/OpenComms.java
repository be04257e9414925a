package dev.jcomms.internal;

import dev.jcomms.Comm;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The communicators that are open in this process: operators, which take text, find theirs here.
 *
 * <p>A handle names one of them whatever the others are called: ranks that are threads of one JVM
 * have communicators of one name. It begins with '/', as no name does. Any thread.
 */
public final class OpenComms {
  private static final Map<String, Comm> BY_HANDLE = new ConcurrentSkipListMap<>();
  private static final AtomicLong MADE = new AtomicLong();

  private OpenComms() {}

  static String newHandle(String name) {
    return "/" + name + "#" + MADE.incrementAndGet();
  }

  static void add(Comm comm) {
    BY_HANDLE.put(comm.handle(), comm);
  }

  static void forget(String handle) {
    BY_HANDLE.remove(handle);
  }

  /**
   * The communicator of a handle, or of a name that only one has.
   *
   * @param operator who asks, for the message
   * @throws IllegalArgumentException if there is none, or more than one, listing the handles
   */
  public static Comm find(String operator, String text) {
    if (text == null) {
      throw new IllegalArgumentException(operator + ": comm is null; " + known(all()));
    }
    Comm exact = BY_HANDLE.get(text);
    if (exact != null) {
      return exact;
    }
    List<Comm> named = all().stream().filter(comm -> comm.name().equals(text)).toList();
    return switch (named.size()) {
      case 1 -> named.getFirst();
      case 0 ->
          throw new IllegalArgumentException(
              operator + ": no comm '" + text + "' is open in this process; " + known(all()));
      default ->
          throw new IllegalArgumentException(
              operator
                  + ": "
                  + named.size()
                  + " comms of this process are named '"
                  + text
                  + "'; use Comm.handle(); "
                  + known(named));
    };
  }

  private static List<Comm> all() {
    return List.copyOf(BY_HANDLE.values());
  }

  private static String known(List<Comm> comms) {
    return comms.isEmpty()
        ? "none is"
        : comms.stream()
            .map(c -> c.handle() + " (rank " + c.rank() + " of " + c.size() + ")")
            .collect(Collectors.joining(", ", "open: ", ""));
  }
}
