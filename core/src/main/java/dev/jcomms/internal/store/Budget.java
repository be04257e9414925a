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
    long after = used.getPlain() + bytes;
    if (bytes > 0 && after > limit) {
      throw new RefusedException(name + "=" + after + " passes the limit " + limit);
    }
    if (whole != null) whole.take(bytes);
    used.lazySet(after);
  }

  /** What is held. */
  public long used() {
    return used.get();
  }
}
