package dev.jcomms;

import java.util.Set;

/**
 * The communicator was aborted, the waiting thread was interrupted, or another rank has given up;
 * those that it waited for are {@link #missingRanks()} then.
 */
public final class CommAbortedException extends CommException {
  private static final long serialVersionUID = 1L;

  /** An abort for this reason. */
  public CommAbortedException(String reason) {
    this(null, reason, Set.of(), null);
  }

  /** Another rank has given up waiting for these. */
  public CommAbortedException(String reason, Set<Integer> missingRanks) {
    this(null, reason, missingRanks, null);
  }

  /** An abort for this reason, with what led to it. */
  public CommAbortedException(String reason, Throwable cause) {
    this(null, reason, Set.of(), cause);
  }

  private CommAbortedException(
      Site site, String reason, Set<Integer> missingRanks, Throwable cause) {
    super(site, join(what(site) + " was aborted", site, reason), reason, missingRanks, cause);
  }

  /** Why. */
  public String reason() {
    return detail();
  }

  @Override
  public CommAbortedException at(Site site) {
    return tracedLike(new CommAbortedException(site, reason(), missingRanks(), getCause()));
  }
}
