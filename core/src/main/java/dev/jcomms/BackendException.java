package dev.jcomms;

import java.util.Set;

/** The backend failed in a way of its own; the cause is what it threw. */
public final class BackendException extends CommException {
  private static final long serialVersionUID = 1L;

  /** A failure of a backend. */
  public BackendException(String detail, Throwable cause) {
    this(null, detail, cause);
  }

  private BackendException(Site site, String detail, Throwable cause) {
    super(site, join(what(site) + " failed", site, detail), detail, Set.of(), cause);
  }

  @Override
  public BackendException at(Site site) {
    return tracedLike(new BackendException(site, detail(), getCause()));
  }
}
