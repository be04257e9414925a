package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.DType;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The windows of a mailroom: this rank's parts, and what the other ranks say of theirs. Ranks
 * register the windows of a series in the same order, so a number means the same window to all. Any
 * thread.
 */
final class WindowBook {
  /** Windows that are registered in the same order on all ranks; two series keep no order. */
  enum Series {
    /** The user's. */
    USERS,
    /** Those that operations need: these come in their turn, and users' windows take none. */
    OPERATIONS;

    private static final Series[] ALL = values();

    private static Series of(int number) {
      return ALL[number % ALL.length];
    }

    private int number(int index) {
      return index * ALL.length + ordinal();
    }

    private static int index(int number) {
      return number / ALL.length;
    }
  }

  /** How many windows of a series a rank may be ahead of this one in registering. */
  private static final int AHEAD = 1024;

  /**
   * What a rank says of its part.
   *
   * @param description by which ranks of its host find it in shared memory; 0 if they cannot
   * @param part itself, for ranks of its JVM; else null
   */
  record Announcement(DType dtype, long elements, long description, WindowPart part) {}

  /** What is known of one window: kept from the first word of it until it is closed here. */
  static final class Entry {
    private final Map<Integer, Announcement> announcements = new ConcurrentHashMap<>();
    private final Arrivals arrivals;

    Entry(int ranks) {
      this.arrivals = new Arrivals(ranks);
    }

    Announcement of(int rank) {
      return announcements.get(rank);
    }

    Arrivals arrivals() {
      return arrivals;
    }
  }

  private final int ranks;
  private final Map<Integer, Entry> entries = new HashMap<>();
  private final Map<Integer, WindowPart> parts = new ConcurrentHashMap<>();

  /** How many have been registered, by series. */
  private final int[] registered = new int[Series.ALL.length];

  WindowBook(int ranks) {
    this.ranks = ranks;
  }

  /** The number of the window of a series that is registered next. */
  synchronized int nextNumber(Series series) {
    return series.number(registered[series.ordinal()]++);
  }

  /** How many windows of its series there are to be before a window; 0 for one of the past. */
  private int ahead(int number) {
    return Math.max(0, Series.index(number) - registered[Series.of(number).ordinal()] + 1);
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** From now on the part is reached. */
  void open(WindowPart part) {
    parts.put(part.number(), part);
  }

  synchronized Entry entry(int number) {
    return entries.computeIfAbsent(number, _ -> new Entry(ranks));
  }

  /** A rank tells of its part; what is returned tells who waited for it. */
  Runnable announced(int number, int rank, Announcement announcement) {
    Entry entry;
    synchronized (this) {
      if (number < 0 || ahead(number) > AHEAD) {
        throw new BadFrameException("window " + number + " of rank " + rank + " is far ahead");
      }
      entry = entry(number);
    }
    if (entry.announcements.putIfAbsent(rank, announcement) != null) {
      throw new BadFrameException("window " + number + " of rank " + rank + " is there already");
    }
    return entry.arrivals.arrive(rank);
  }

  /**
   * This rank's part of a window; null if it was closed.
   *
   * @throws BadFrameException if there never was one
   */
  WindowPart part(int number) {
    WindowPart part = parts.get(number);
    if (part == null) {
      synchronized (this) {
        if (number < 0 || ahead(number) > 0) {
          throw new BadFrameException("window " + number + " is not known");
        }
      }
    }
    return part;
  }

  /** Forgets a window, whose memory nobody touches any more. Under the guard. */
  void close(WindowPart part) {
    parts.remove(part.number());
    part.close();
    synchronized (this) {
      entries.remove(part.number());
    }
  }

  /** Forgets all windows. Under the guard. */
  void close() {
    parts.values().forEach(this::close);
  }
}
