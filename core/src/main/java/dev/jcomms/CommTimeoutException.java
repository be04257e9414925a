package dev.jcomms;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * An operation did not end by its deadline. The ranks it still waited for are {@link
 * #missingRanks()}.
 */
public final class CommTimeoutException extends CommException {
  private static final long serialVersionUID = 1L;

  private final Duration timeout;

  /**
   * A deadline that passed.
   *
   * @param timeout how long was waited
   * @param detail how far it got: {@code 9 of 14 steps done, waiting for rank 5}
   * @param missingRanks the ranks not heard of
   */
  public CommTimeoutException(Duration timeout, String detail, Set<Integer> missingRanks) {
    this(null, timeout, detail, missingRanks, null);
  }

  private CommTimeoutException(
      Site site, Duration timeout, String detail, Set<Integer> missingRanks, Throwable cause) {
    this(
        site,
        join(what(site) + " timed out after " + seconds(timeout), site, detail),
        timeout,
        detail,
        missingRanks,
        cause);
  }

  private CommTimeoutException(
      Site site,
      String message,
      Duration timeout,
      String detail,
      Set<Integer> missingRanks,
      Throwable cause) {
    super(site, message, detail, missingRanks, cause);
    this.timeout = timeout;
  }

  @Override
  public CommTimeoutException forLater(Site later) {
    return new CommTimeoutException(
        later, notDone(later, this), timeout, detail(), missingRanks(), this);
  }

  @Override
  public CommTimeoutException at(Site site) {
    return tracedLike(
        new CommTimeoutException(site, timeout, detail(), missingRanks(), getCause()));
  }

  /** How long was waited. */
  public Duration timeout() {
    return timeout;
  }

  private static String seconds(Duration timeout) {
    double seconds = timeout.toNanos() / 1e9;
    return String.format(Locale.ROOT, seconds < 1 ? "%.3f s" : "%.1f s", seconds);
  }
}
