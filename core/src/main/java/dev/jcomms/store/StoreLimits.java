package dev.jcomms.store;

import java.time.Duration;

/**
 * What a {@link TcpStoreServer} allows its clients. Whoever passes a limit loses that one
 * connection; nobody else notices. Immutable; every method returns a changed copy.
 *
 * <p>The limits of one request are PyTorch's and fixed: a key of 8192 bytes, a value of 8 MiB,
 * 131072 keys.
 *
 * @param valueBytes the most one value may grow to by {@code append}
 * @param connectionBytes the most that is held for one connection: requests half received, replies
 *     not yet taken, keys waited for
 * @param totalBytes the most that is held in all: keys, values, queues, and what is held for
 *     connections
 * @param connections how many clients at once; at the limit the oldest that has not identified
 *     itself makes room for a new one
 * @param handshake how long a new connection may take to identify itself
 * @param progress how long a message under way may take for each 64 KiB, in or out
 */
public record StoreLimits(
    long valueBytes,
    long connectionBytes,
    long totalBytes,
    int connections,
    Duration handshake,
    Duration progress) {

  private static final long MIB = 1 << 20;

  /** Checks that every limit is positive. */
  public StoreLimits {
    positive("valueBytes", valueBytes);
    positive("connectionBytes", connectionBytes);
    positive("totalBytes", totalBytes);
    positive("connections", connections);
    positive("handshake", handshake.toMillis());
    positive("progress", progress.toMillis());
  }

  /**
   * 32 MiB a value, 128 MiB a connection, 1 GiB in all (or half of the heap where that is less),
   * 16384 connections, 10 s for the handshake, 30 s for progress.
   */
  public static StoreLimits defaults() {
    return new StoreLimits(
        32 * MIB,
        128 * MIB,
        Math.min(1024 * MIB, Runtime.getRuntime().maxMemory() / 2),
        16384,
        Duration.ofSeconds(10),
        Duration.ofSeconds(30));
  }

  /** A copy with another limit for one value. */
  public StoreLimits valueBytes(long bytes) {
    return new StoreLimits(bytes, connectionBytes, totalBytes, connections, handshake, progress);
  }

  /** A copy with another limit for one connection. */
  public StoreLimits connectionBytes(long bytes) {
    return new StoreLimits(valueBytes, bytes, totalBytes, connections, handshake, progress);
  }

  /** A copy with another limit for everything together. */
  public StoreLimits totalBytes(long bytes) {
    return new StoreLimits(valueBytes, connectionBytes, bytes, connections, handshake, progress);
  }

  /** A copy with another number of connections. */
  public StoreLimits connections(int count) {
    return new StoreLimits(valueBytes, connectionBytes, totalBytes, count, handshake, progress);
  }

  /** A copy with another time for the handshake. */
  public StoreLimits handshake(Duration time) {
    return new StoreLimits(valueBytes, connectionBytes, totalBytes, connections, time, progress);
  }

  /** A copy with another time for progress. */
  public StoreLimits progress(Duration time) {
    return new StoreLimits(valueBytes, connectionBytes, totalBytes, connections, handshake, time);
  }

  private static void positive(String name, long value) {
    if (value <= 0) throw new IllegalArgumentException("store limits: " + name + "=" + value);
  }
}
