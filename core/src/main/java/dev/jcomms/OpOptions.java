package dev.jcomms;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one operation may be told beyond its arguments: a deadline, and hints for the backend.
 * Immutable.
 *
 * <p>Hints are free text; a backend reads those it knows, such as {@code algorithm}, and ignores
 * the others.
 */
public final class OpOptions {
  /** No hints, and the communicator's timeout. */
  public static final OpOptions DEFAULT = new OpOptions(null, Map.of());

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Duration timeout;
  private final Map<String, String> hints;

  private OpOptions(Duration timeout, Map<String, String> hints) {
    this.timeout = timeout;
    this.hints = hints;
  }

  /** Options with a timeout. */
  public static OpOptions timeout(Duration timeout) {
    return DEFAULT.withTimeout(timeout);
  }

  /** Options with one hint. */
  public static OpOptions hint(String name, String value) {
    return DEFAULT.withHint(name, value);
  }

  /** These options with another timeout, which must be positive. */
  public OpOptions withTimeout(Duration timeout) {
    return new OpOptions(positive(timeout), hints);
  }

  /** These options with one hint more, or changed. */
  public OpOptions withHint(String name, String value) {
    Map<String, String> more = new TreeMap<>(hints);
    more.put(name, value);
    return new OpOptions(timeout, Map.copyOf(more));
  }

  /** The operation's own timeout. A backend always finds one: core fills in the communicator's. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  /** The operation's own timeout, or another. */
  public Duration timeoutOr(Duration other) {
    return timeout == null ? other : timeout;
  }

  /** The hints, never null. */
  public Map<String, String> hints() {
    return hints;
  }

  /** One hint. */
  public Optional<String> hint(String name) {
    return Optional.ofNullable(hints.get(name));
  }

  /** A positive time, at most a hundred years: so much fits any clock. */
  static Duration positive(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout=" + timeout + " is not positive");
    }
    return timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OpOptions that
        && java.util.Objects.equals(timeout, that.timeout)
        && hints.equals(that.hints);
  }

  @Override
  public int hashCode() {
    return java.util.Objects.hash(timeout, hints);
  }

  @Override
  public String toString() {
    return "OpOptions[timeout=" + timeout + ", hints=" + hints + "]";
  }
}
