package dev.jcomms.jccl.internal.transport;

import dev.jcomms.CommMismatchException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * What this rank does together with the others that is no operation of an engine, but has its turn
 * among operations: a split, the registration of a window.
 *
 * <p>It says so in a word that the others can read: what it is at, and for the how many-th time.
 * Who is in an operation and waits there for a rank that is aside, at what it has not come to
 * itself, would wait in vain: neither goes on before the other comes.
 */
public final class Aside {
  /** The word of a rank that is not aside. */
  public static final long HERE = 0;

  private static final int KIND_BITS = 8;
  private static final long KIND = (1 << KIND_BITS) - 1;

  private final Map<Long, Long> times = new ConcurrentHashMap<>();
  private volatile LongConsumer board = _ -> {};
  private volatile long word = HERE;

  /** Has every word written where others read it. */
  public void show(LongConsumer board) {
    this.board = board;
  }

  /** Where this rank is. Any thread. */
  public long word() {
    return word;
  }

  /** Does something aside. By the thread whose turn it is. */
  public <T> T during(String what, Supplier<T> meeting) {
    long kind = Facts.aside(what) & KIND;
    say(times.merge(kind, 1L, Long::sum) << KIND_BITS | kind);
    try {
      return meeting.get();
    } finally {
      say(HERE);
    }
  }

  private void say(long next) {
    word = next;
    board.accept(next);
  }

  /**
   * Compares with a peer that is waited for in an operation and has not come to it. Any thread.
   *
   * @param word the peer's, read before it was known not to have come
   * @throws CommMismatchException if it waits for this rank elsewhere
   */
  public void requireNotMissed(int rank, long head, long count, int peer, long word) {
    if (word != HERE && word >>> KIND_BITS > times.getOrDefault(word & KIND, 0L)) {
      Facts.requireSame(rank, head, count, peer, Facts.aside((int) (word & KIND)), 0);
    }
  }
}
