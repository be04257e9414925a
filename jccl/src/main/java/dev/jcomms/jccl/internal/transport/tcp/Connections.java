package dev.jcomms.jccl.internal.transport.tcp;

import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The connections of one rank that the {@link Switchboard} has made, until somebody takes them. Any
 * thread may look and take.
 */
final class Connections {
  private final Map<Plug, Connection> made = new ConcurrentHashMap<>();
  private final Map<Plug, String> troubles = new ConcurrentHashMap<>();
  private final List<Runnable> arrivals = new CopyOnWriteArrayList<>();

  /** Taken once, and remembered. */
  private record Connection(SocketChannel channel, boolean taken) {}

  /** Calls this, on the switchboard's thread, whenever a connection is there to be taken. */
  void onArrival(Runnable listener) {
    arrivals.add(listener);
  }

  void forget(Runnable listener) {
    arrivals.remove(listener);
  }

  /** An established connection, non-blocking and the caller's from now on; null if not there. */
  SocketChannel take(Plug plug) {
    Connection connection = made.get(plug);
    if (connection == null || connection.taken) {
      return null;
    }
    // Replaced in between? Then the next call gets the new one.
    Connection taken = new Connection(connection.channel, true);
    return made.replace(plug, connection, taken) ? connection.channel : null;
  }

  /** Whether it has been made, taken or not. */
  boolean isThere(Plug plug) {
    return made.containsKey(plug);
  }

  boolean isTaken(Plug plug) {
    Connection connection = made.get(plug);
    return connection != null && connection.taken;
  }

  /** What went wrong at the last attempt; empty if nothing did. */
  String trouble(Plug plug) {
    return troubles.getOrDefault(plug, "");
  }

  /** An attempt has failed. */
  void failed(Plug plug, Exception e) {
    String said = e.getMessage() == null ? e.toString() : e.getMessage();
    troubles.put(plug, said.strip().toLowerCase(Locale.ROOT));
  }

  /**
   * A connection is there to be taken.
   *
   * @return what is of no use any more, for the caller to close: one before that nobody has taken,
   *     or, if somebody has, the new one; null if neither
   */
  SocketChannel add(Plug plug, SocketChannel channel) {
    troubles.remove(plug);
    Connection before = made.putIfAbsent(plug, new Connection(channel, false));
    if (before == null) {
      return null;
    }
    Connection untaken = new Connection(before.channel, false);
    return made.replace(plug, untaken, new Connection(channel, false)) ? before.channel : channel;
  }

  /** Tells those who wait for a connection. */
  void announce() {
    arrivals.forEach(Runnable::run);
  }

  /** Takes all that nobody has taken. */
  List<SocketChannel> takeAll() {
    return made.keySet().stream().map(this::take).filter(Objects::nonNull).toList();
  }
}
