package dev.jcomms.store;

import java.time.Duration;
import java.util.List;

/**
 * A store call reached its deadline. Says which keys were still missing, how long the call had
 * waited, and at which store.
 */
public final class StoreTimeoutException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** More keys than this are counted, not named, in the message; {@link #missing()} has all. */
  private static final int NAMED = 10;

  private final String[] missing;
  private final Duration timeout;
  private final String store;

  /**
   * A deadline missed by {@code operation}.
   *
   * @param missing the keys (or queues) that were not there; empty if the store itself was silent
   * @param store where the store is, as its own {@code toString} says it
   */
  public StoreTimeoutException(
      String operation, List<String> missing, Duration timeout, String store) {
    super(message(operation, missing, timeout, store));
    this.missing = missing.toArray(String[]::new);
    this.timeout = timeout;
    this.store = store;
  }

  /** The keys that were missing at the deadline. */
  public List<String> missing() {
    return List.of(missing);
  }

  /** How long the call was allowed to wait. */
  public Duration timeout() {
    return timeout;
  }

  /** Where the store is. */
  public String store() {
    return store;
  }

  private static String message(
      String operation, List<String> missing, Duration timeout, String store) {
    StringBuilder text = new StringBuilder(operation);
    text.append(" timed out after ").append(timeout.toMillis() / 1000.0).append(" s at ");
    text.append(store).append(": ");
    if (missing.isEmpty()) return text.append("no answer").toString();
    text.append("missing=").append(missing.subList(0, Math.min(NAMED, missing.size())));
    if (missing.size() > NAMED) text.append(" and ").append(missing.size() - NAMED).append(" more");
    return text.toString();
  }
}
