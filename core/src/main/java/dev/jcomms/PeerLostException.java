package dev.jcomms;

import java.util.Set;

/**
 * A peer died or fell silent: {@link #missingRanks()} says who. The communicator is poisoned; see
 * {@link Comm#reconfigure}.
 */
public final class PeerLostException extends CommException {
  private static final long serialVersionUID = 1L;

  /** The loss of these ranks, and how it showed. */
  public PeerLostException(Set<Integer> lostRanks, String detail) {
    this(lostRanks, detail, null);
  }

  /** The loss of these ranks, and how it showed. */
  public PeerLostException(Set<Integer> lostRanks, String detail, Throwable cause) {
    this(null, lostRanks, detail, cause);
  }

  private PeerLostException(Site site, Set<Integer> lostRanks, String detail, Throwable cause) {
    super(
        site,
        join(what(site) + " lost " + ranks(lostRanks), site, detail),
        detail,
        lostRanks,
        cause);
  }

  @Override
  public PeerLostException at(Site site) {
    return tracedLike(new PeerLostException(site, missingRanks(), detail(), getCause()));
  }
}
