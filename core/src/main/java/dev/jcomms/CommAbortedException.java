package dev.jcomms;

import java.util.Set;

/** The communicator was aborted, or the waiting thread was interrupted. */
public final class CommAbortedException extends CommException {
  private static final long serialVersionUID = 1L;

  /** An abort for this reason. */
  public CommAbortedException(String reason) {
    this(null, reason, null);
  }

  /** An abort for this reason, with what led to it. */
  public CommAbortedException(String reason, Throwable cause) {
    this(null, reason, cause);
  }

  private CommAbortedException(Site site, String reason, Throwable cause) {
    super(site, join(what(site) + " was aborted", site, reason), reason, Set.of(), cause);
  }

  /** Why. */
  public String reason() {
    return detail();
  }

  @Override
  public CommAbortedException at(Site site) {
    return tracedLike(new CommAbortedException(site, reason(), getCause()));
  }
}
