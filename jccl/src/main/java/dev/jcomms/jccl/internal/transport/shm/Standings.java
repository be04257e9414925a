package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.transport.Alarm;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * How the ranks of a host stand: what each says of itself for good, on its board. This rank says
 * how it has failed when its alarm is raised, and raises it when another has. Any thread.
 */
public final class Standings {
  /** How long a rank that has failed waits for the others to leave its memory alone. */
  public static final long LAST_NANOS = 500_000_000;

  /** Nobody is awaited. */
  static final int NOBODY = -1;

  private final Boards boards;
  private final int rank;
  private final List<Integer> names;
  private final Alarm alarm;

  /** After this rank has left, the memory may go any time. */
  private boolean gone;

  Standings(Boards boards, int rank, List<Integer> names, Alarm alarm) {
    this.boards = boards;
    this.rank = rank;
    this.names = names;
    this.alarm = alarm;
  }

  /** From now on this rank says on its board how it has failed, when its alarm is raised. */
  void heedAlarm() {
    alarm.listen(_ -> tell(alarm.elsewhere()));
  }

  /**
   * Raises the alarm if a rank is awaited that will not come, or any has found a failure.
   *
   * @param come whether the rank has published what it is awaited for: what was published before a
   *     rank said how it is counts
   * @param patient whether there is time to hear from another rank that time is over
   */
  void notice(int awaited, BooleanSupplier come, boolean patient) {
    raise(find(awaited, come, patient));
  }

  /**
   * A failure, as this rank reports it.
   *
   * @param told as it was told, if another rank has told all; null if this one has found it
   */
  record Found(CommException failure, CommException told) {
    /** Null for none. */
    static Found here(CommException failure) {
      return failure == null ? null : new Found(failure, null);
    }
  }

  private void raise(Found found) {
    if (found != null && found.told == null) {
      alarm.raise(found.failure);
    } else if (found != null) {
      alarm.raise(found.failure, found.told);
    }
  }

  /** What {@link #notice} raises the alarm with; null for nothing. */
  Found find(int awaited, BooleanSupplier come, boolean patient) {
    for (int peer = 0; peer < names.size(); peer++) {
      Boards.State state = boards.state(peer);
      if (peer == rank || state == Boards.State.OPEN) {
        continue;
      }
      boolean needed = peer == awaited && !come.getAsBoolean();
      String text = boards.text(peer);
      Found found =
          switch (state) {
            case OPEN -> null;
            case CLOSED -> needed ? Found.here(closed(peer)) : null;
            case TIMED_OUT -> needed || patient ? Found.here(givenUp(peer)) : null;
            case LOST -> lost(peer, text);
            case MISMATCH ->
                new Found(
                    new CommMismatchException(text, atFault(peer)),
                    new CommMismatchException(text, boards.subjects(peer)));
            case ABORTED ->
                Found.here(
                    new CommAbortedException(
                        "rank " + names.get(peer) + ": " + text, atFault(peer)));
          };
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Who has been stopped for long finds that others have given it up. */
  private Found lost(int peer, String text) {
    PeerLostException told = new PeerLostException(boards.subjects(peer), text);
    if (!told.missingRanks().contains(names.get(rank))) {
      return Found.here(told);
    }
    int name = names.get(peer);
    String how = "rank " + name + " has given this rank up: " + text;
    return new Found(new PeerLostException(Set.of(name), how), told);
  }

  /** Whom a rank blames, but for this one. */
  private Set<Integer> atFault(int peer) {
    Set<Integer> blamed = boards.subjects(peer);
    blamed.remove(names.get(rank));
    return blamed;
  }

  boolean isClosed(int peer) {
    return boards.state(peer) == Boards.State.CLOSED;
  }

  /** What it means to who needs it that a rank has closed the communicator. */
  PeerLostException closed(int peer) {
    int name = names.get(peer);
    return new PeerLostException(Set.of(name), "rank " + name + " has closed the communicator");
  }

  private CommAbortedException givenUp(int peer) {
    return new CommAbortedException(
        "rank " + names.get(peer) + " has given up: " + boards.text(peer), atFault(peer));
  }

  /** Why a rank, by its name, takes part no more; null while it does. */
  public synchronized CommException left(int name) {
    int peer = names.indexOf(name);
    if (gone) {
      return null;
    }
    return switch (boards.state(peer)) {
      case CLOSED -> closed(peer);
      case TIMED_OUT -> givenUp(peer);
      default -> null;
    };
  }

  /** Whether a rank, by its name, says nothing of itself: it neither has closed nor failed. */
  synchronized boolean hasSaidNothing(int name) {
    return !gone && boards.state(names.indexOf(name)) == Boards.State.OPEN;
  }

  /** Says where this rank is if it is not at operations. */
  synchronized void aside(long word) {
    if (!gone) {
      boards.aside(rank, word);
    }
  }

  private void tell(CommException failure) {
    switch (failure) {
      case PeerLostException lost -> declare(Boards.State.LOST, lost, lost.detail());
      case CommMismatchException mismatch ->
          declare(Boards.State.MISMATCH, mismatch, mismatch.detail());
      case CommTimeoutException timeout ->
          declare(Boards.State.TIMED_OUT, timeout, timeout.getMessage());
      case CommAbortedException aborted -> declare(Boards.State.ABORTED, aborted, aborted.reason());
      default -> declare(Boards.State.ABORTED, failure, failure.getMessage());
    }
  }

  private void declare(Boards.State state, CommException failure, String text) {
    declare(state, failure.missingRanks(), String.valueOf(text));
  }

  /** Says for good how this rank is, and wakes all who sleep; what it has said before stays. */
  private synchronized void declare(Boards.State state, Set<Integer> subjects, String text) {
    if (gone || boards.state(rank) != Boards.State.OPEN) {
      return;
    }
    gone = state == Boards.State.CLOSED;
    boards.declare(rank, state, subjects, text);
    for (int peer = 0; peer < names.size(); peer++) {
      boards.ring(peer);
    }
  }

  /**
   * Says how this rank has failed, if it has. Whoever raised the alarm may not have come to say so
   * when others of this rank's threads act on it.
   */
  synchronized void confess() {
    if (alarm.isRaised()) {
      tell(alarm.elsewhere());
    }
  }

  /**
   * Fails if another rank has failed. Tensors of other ranks that were read before this were their
   * owners' to keep as they were: a rank says that it has failed before its call ends. And who
   * meets those that have shown theirs, and may have given up before it came, looks here before it
   * touches any.
   */
  public void requireNoFailure() {
    VarHandle.fullFence(); // of what was read or published, then of states
    raise(() -> find(NOBODY, () -> true, true));
    alarm.check();
  }

  /**
   * Says that this rank's operation has failed, before its call ends: the others may be reading its
   * tensors, which are the caller's again then. A refusal alone is no failure. By the thread that
   * performs operations.
   *
   * @param midway whether others have heard of the operation, and there will be no next
   */
  public void fail(Throwable thrown, boolean midway) {
    if (thrown instanceof CommException failure) {
      alarm.raise(failure);
    }
    retire(midway);
  }

  private synchronized void retire(boolean midway) {
    confess();
    if ((alarm.isRaised() || midway) && !gone) {
      boards.quiet(rank);
    }
  }

  /**
   * Waits, after this rank has failed, until nobody touches the memory that it has shown in a
   * phase: those who have come to that phase until they come to the next or have failed themselves,
   * but not for long; those who have not will {@linkplain #requireNoFailure look} first. By the
   * thread that performs operations, while it is on the floor.
   *
   * @param patienceNanos how long
   * @param lost ranks that will do neither
   * @param dead whether a rank, by its place, will never touch anything again
   * @return whether that is so: not if one was stopped in the midst of it, say
   */
  public boolean awaitOthers(long shown, long patienceNanos, Set<Integer> lost, IntPredicate dead) {
    long start = System.nanoTime();
    boolean alone = true;
    VarHandle.fullFence(); // that this rank has failed, then who has come
    for (int peer = 0; peer < names.size(); peer++) {
      while (isTouching(peer, shown)
          && !lost.contains(names.get(peer))
          && System.nanoTime() - start < patienceNanos) {
        Thread.yield();
      }
      alone &= !isTouching(peer, shown) || dead.test(peer);
    }
    return alone;
  }

  private boolean isTouching(int peer, long shown) {
    return peer != rank
        && boards.isPublished(peer, shown)
        && !boards.isPublished(peer, shown + 1)
        && !boards.isQuiet(peer);
  }

  /** Says that this rank has closed the communicator, unless it has failed before. */
  public synchronized void leave() {
    confess();
    declare(Boards.State.CLOSED, Set.of(), "");
    gone = true;
  }

  /** From now on nobody reads or writes the boards here, whether this rank has left or not. */
  synchronized void end() {
    gone = true;
  }

  /**
   * Raises the alarm with what is found on the boards, unless this rank has left. Whoever hears the
   * alarm may want to look, too, or to leave: it is raised when the boards are free again.
   */
  void raise(Supplier<Found> found) {
    raise(whileHere(found, null));
  }

  /** What is read from the boards, unless this rank has left: then they may be gone. */
  synchronized <T> T whileHere(Supplier<T> read, T otherwise) {
    return gone ? otherwise : read.get();
  }
}
