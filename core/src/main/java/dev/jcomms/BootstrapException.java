package dev.jcomms;

import java.util.Set;

/** The ranks of a communicator did not find each other. */
public final class BootstrapException extends CommException {
  private static final long serialVersionUID = 1L;

  /** Why, and which ranks were not heard of. */
  public BootstrapException(String detail, Set<Integer> missingRanks, Throwable cause) {
    this(null, detail, missingRanks, cause);
  }

  private BootstrapException(Site site, String detail, Set<Integer> missingRanks, Throwable cause) {
    super(
        site,
        site == null ? detail : join(what(site) + " failed", site, detail),
        detail,
        missingRanks,
        cause);
  }

  @Override
  public BootstrapException at(Site site) {
    return tracedLike(new BootstrapException(site, detail(), missingRanks(), getCause()));
  }
}
