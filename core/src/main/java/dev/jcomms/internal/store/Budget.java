package dev.jcomms.internal.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes may be held, and how many are. One thread at a time takes and gives; any thread
 * may look. A budget may be a part of another: what it takes, the whole must have too.
 */
public final class Budget {
  private final String name;
  private final long limit;
  private final Budget whole;
  private final AtomicLong used = new AtomicLong();

  /** A budget of its own. */
  public Budget(String name, long limit) {
    this(name, limit, null);
  }

  private Budget(String name, long limit, Budget whole) {
    this.name = name;
    this.limit = limit;
    this.whole = whole;
  }

  /** A budget within this one. */
  public Budget part(String partName, long partLimit) {
    return new Budget(partName, partLimit, this);
  }

  /**
   * Takes bytes, or gives them back where negative.
   *
   * @throws RefusedException if more would be held than may be; nothing is taken then
   */
  public void take(long bytes) {
    if (bytes > 0) require(bytes);
    for (Budget each = this; each != null; each = each.whole) {
      each.used.lazySet(each.used.getPlain() + bytes);
    }
  }

  /**
   * Checks that so much could be taken.
   *
   * @throws RefusedException if it could not
   */
  public void require(long bytes) {
    for (Budget each = this; each != null; each = each.whole) {
      if (bytes > each.limit - each.used.getPlain()) {
        long after = each.used.getPlain() + bytes;
        throw new RefusedException(each.name + "=" + after + " passes the limit " + each.limit);
      }
    }
  }

  /** What is held. */
  public long used() {
    return used.get();
  }
}
