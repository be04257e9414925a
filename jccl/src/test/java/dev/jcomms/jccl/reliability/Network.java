package dev.jcomms.jccl.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network between ranks that a test can spoil: a {@link Relay} in front of each of their ports.
 * What is said of it holds for all connections, those there are and those to come.
 */
final class Network implements AutoCloseable {
  private final Map<Integer, Relay> relays = new ConcurrentHashMap<>();
  private volatile boolean silent;
  private volatile boolean held;
  private volatile boolean swallowsEnds;
  private volatile int mostBytes = 1 << 16;
  private volatile Duration delay = Duration.ZERO;

  /** The relay in front of a rank's port. */
  Relay inFrontOf(int port) {
    return relays.computeIfAbsent(
        port,
        target -> {
          try {
            return new Relay(target, this);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** From now on nothing passes, and nobody is told. */
  void fallSilent() {
    silent = true;
  }

  /** Nothing passes until {@link #release}; nothing is lost. */
  void hold() {
    held = true;
  }

  void release() {
    held = false;
  }

  /** From now on who hangs up is not missed by the other side. */
  Network swallowEnds() {
    swallowsEnds = true;
    return this;
  }

  /** From now on so many bytes pass at a time, each way. */
  Network dribble(int bytes) {
    mostBytes = bytes;
    return this;
  }

  /** From now on everything takes so long, each way. */
  Network delay(Duration time) {
    delay = time;
    return this;
  }

  boolean isSilent() {
    return silent;
  }

  boolean isHeld() {
    return held;
  }

  boolean swallowsEnds() {
    return swallowsEnds;
  }

  int mostBytes() {
    return mostBytes;
  }

  Duration delay() {
    return delay;
  }

  @Override
  public void close() {
    release();
    relays.values().forEach(Relay::close);
  }
}
