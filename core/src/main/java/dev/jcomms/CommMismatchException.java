package dev.jcomms;

import java.util.Set;

/**
 * Ranks called different operations, or one operation with different sizes, dtypes, reduce ops or
 * roots.
 */
public final class CommMismatchException extends CommException {
  private static final long serialVersionUID = 1L;

  /**
   * A disagreement.
   *
   * @param detail who has what: {@code rank 0 has 1024 x f32, rank 3 has 1000 x f32}
   * @param ranks the ranks that differ from this one, or of which it was told that they differ
   */
  public CommMismatchException(String detail, Set<Integer> ranks) {
    this(null, detail, ranks);
  }

  private CommMismatchException(Site site, String detail, Set<Integer> ranks) {
    this(site, join("ranks disagree on " + what(site), site, detail), detail, ranks, null);
  }

  private CommMismatchException(
      Site site, String message, String detail, Set<Integer> ranks, Throwable cause) {
    super(site, message, detail, ranks, cause);
  }

  @Override
  public CommMismatchException forLater(Site later) {
    return new CommMismatchException(later, notDone(later, this), detail(), missingRanks(), this);
  }

  @Override
  public CommMismatchException at(Site site) {
    return tracedLike(new CommMismatchException(site, detail(), missingRanks()));
  }
}
