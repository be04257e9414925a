package dev.jcomms.jccl.internal.transport.tcp;

import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Facts;
import java.util.Set;

/**
 * Knows the operation under way, and finds out whether peers are in the same one. If they are not,
 * everybody is told. Of the thread that performs the operation, but for {@link #notice}.
 */
final class Clerk {
  private final int rank;
  private final Aside aside;
  private final Alarm alarm;
  private Notice notice = Notice.NONE;

  /**
   * @param rank this one, as the communicator counts
   */
  Clerk(int rank, Aside aside, Alarm alarm) {
    this.rank = rank;
    this.aside = aside;
    this.alarm = alarm;
  }

  /** The next operation begins, which has these {@link Facts}. */
  Notice next(long head, long count) {
    notice = new Notice(notice.sequence() + 1, head, count);
    return notice;
  }

  /** The operation under way: what is sent is sent for it. */
  Notice notice() {
    return notice;
  }

  /**
   * Requires that what comes in is what is expected.
   *
   * @param bytes that come
   */
  void check(Line line, Transfer expected, Notice theirs, long bytes) {
    requireSame(line, theirs);
    if (theirs.sequence() != notice.sequence()) {
      throw disagreement(
          line,
          "rank %d is at its collective %d, rank %d at its %d"
              .formatted(rank, notice.sequence(), line.peer, theirs.sequence()));
    }
    if (bytes != expected.bytes) {
      throw disagreement(line, unexpected(rank, expected.bytes, line.peer, bytes));
    }
  }

  /** Requires that a peer expects as many bytes as this rank sends it. */
  void requireExpected(Line line, long expected, long sent) {
    if (expected != sent) {
      throw disagreement(line, unexpected(line.peer, expected, rank, sent));
    }
  }

  private static String unexpected(int to, long expected, int from, long sent) {
    return "rank %d expects %d bytes of rank %d, which sends %d"
        .formatted(to, expected, from, sent);
  }

  private CommException disagreement(Line line, String text) {
    return raised(new CommMismatchException(text, Set.of(line.peer)));
  }

  /** Compares with what a peer has answered that was asked about the operation. */
  void requireTogether(Line line, Notice theirs) {
    if (theirs.sequence() == notice.sequence()) {
      requireSame(line, theirs);
      return;
    }
    try {
      aside.requireNotMissed(rank, notice.head(), notice.count(), line.peer, theirs.count());
    } catch (CommMismatchException e) {
      throw raised(e);
    }
  }

  private void requireSame(Line line, Notice theirs) {
    try {
      Facts.requireSame(
          rank, notice.head(), notice.count(), line.peer, theirs.head(), theirs.count());
    } catch (CommMismatchException e) {
      throw raised(e);
    }
  }

  /** Tells everybody, and gives back what to throw. */
  CommException raised(CommException failure) {
    alarm.raise(failure);
    return alarm.failure() == failure ? failure : alarm.failure().again();
  }
}
