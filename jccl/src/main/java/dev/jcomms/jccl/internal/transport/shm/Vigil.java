package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.jccl.internal.posix.Slice;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Elbows;
import dev.jcomms.jccl.internal.transport.Facts;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a rank waits for another on the {@link Floor}: it spins while every rank has a core, then
 * gives turns to others, then sleeps, and looks from time to time why the other does not come. One
 * thread, but for {@link #requireSame} and {@link #requireNotAside}.
 */
final class Vigil {
  /**
   * Spins while all ranks have cores: ten to a hundred and fifty microseconds, as long as a pause
   * is on this machine. More than an ordinary delay, and about what it costs to be woken.
   */
  private static final int SPINS = 3000;

  /**
   * How long turns are given to others before sleeping. Well above what it takes to be woken:
   * otherwise, once one rank has slept, the others give up waiting for it, one of them is late for
   * the next meeting, and so on for good.
   */
  private static final long YIELDING_NANOS = 1_000_000;

  /** Spins within which a wait is not worth recording: a microsecond or a few. */
  private static final int PROMPT_SPINS = 64;

  /** Spins after which a rank asks whether it keeps the other from running; again after twice. */
  private static final int PATIENT_SPINS = 256;

  /** How long the first sleep is: what a missed wake-up costs where there is no membarrier. */
  private static final long SHORTEST_NANOS = 200_000;

  /** How long a sleep is at most: the time in which deaths and stops are noticed. */
  private static final long SLICE_NANOS = 100_000_000;

  private final Boards boards;
  private final Remarks remarks;
  private final Standings standings;
  private final int rank;
  private final List<Integer> names;
  private final Aside aside;
  private final Runnable liveness;
  private final int spins;
  private final Elbows elbows = new Elbows();
  private final Deadline.Progress progress = new Missing();
  private boolean prompt;

  /** The phase that is waited for, and of whom. */
  private long wanted;

  private int asked;

  Vigil(
      Boards boards,
      Remarks remarks,
      Standings standings,
      int rank,
      List<Integer> names,
      Aside aside,
      Runnable liveness) {
    this.boards = boards;
    this.remarks = remarks;
    this.standings = standings;
    this.rank = rank;
    this.names = names;
    this.aside = aside;
    this.liveness = liveness;
    this.spins = names.size() <= Runtime.getRuntime().availableProcessors() ? SPINS : 0;
  }

  /** Whether no wait since the last call of this was long. */
  boolean wasPrompt() {
    boolean was = prompt;
    prompt = true;
    return was;
  }

  /**
   * Waits until a rank has published a phase in a note or a remark, whose place is given.
   *
   * @param asked all that are waited for: the rank, or {@link Floor#ALL}
   * @throws CommException as {@link Floor#meet}
   */
  void await(
      int peer, int asked, long note, long expected, long head, long count, Deadline deadline) {
    boolean crowded = elbows.areInTheWay();
    if (!crowded && comesWhileSpinning(note, expected)) {
      return;
    }
    prompt = false;
    boards.wakeSleepers(rank);
    if (!crowded && comesWhileYielding(note, expected)) {
      return;
    }
    this.asked = asked;
    wanted = expected;
    long nap = SHORTEST_NANOS;
    while (boards.phase(note) < expected) {
      boolean patient = deadline.leftNanos() > Deadline.OWN_NANOS;
      standings.notice(peer, () -> boards.phase(note) >= expected, patient);
      requireNothingElse(expected, head, count);
      requireNotAside(peer, note, expected, head, count);
      deadline.check(progress);
      boards.sleep(peer, note, expected, Math.min(nap, deadline.leftNanos()));
      nap = Math.min(2 * nap, SLICE_NANOS);
      if (boards.phase(note) < expected) {
        liveness.run();
      }
    }
  }

  /** Whether a phase is published within a while in which this rank keeps its core. */
  private boolean comesWhileSpinning(long note, long expected) {
    int patience = PATIENT_SPINS;
    for (int i = 0; i < spins; i++) {
      if (i >= PROMPT_SPINS) {
        prompt = false;
      }
      if (i == patience) {
        patience *= 2;
        if (elbows.giveTurn(expected, () -> boards.phase(note) >= expected)) {
          return true;
        }
      }
      Thread.onSpinWait();
      if (boards.phase(note) >= expected) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is within a while in which others may have the core. */
  private boolean comesWhileYielding(long note, long expected) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < YIELDING_NANOS) {
      Slice.giveAway();
      if (boards.phase(note) >= expected) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whoever has come to a phase with something else is found, also while another is awaited: that
   * one may have left a stream behind and do something on another floor. Who makes a remark and who
   * writes a note in the same phase have come with different things.
   */
  private void requireNothingElse(long expected, long head, long count) {
    for (int peer = 0; peer < names.size(); peer++) {
      long note = Boards.note(peer, expected);
      if (peer == rank) {
        continue;
      }
      // A later one, in its place, is of who has been here: with something else it would wait here.
      if (boards.phase(note) == expected) {
        requireSame(peer, note, head, count);
      } else if (!remarks.areMade() && boards.phase(remarks.of(peer, expected)) == expected) {
        Facts.requireSame(
            names.get(rank), head, count, names.get(peer), remarks.head(), remarks.count());
      }
    }
  }

  /**
   * Requires that a rank which has not published a phase can come to it.
   *
   * @throws CommMismatchException if it is aside, and waits there for this rank
   */
  void requireNotAside(int peer, long note, long expected, long head, long count) {
    long word = boards.aside(peer);
    // In this order: one that has come to the phase may be aside since then.
    if (word != Aside.HERE && boards.phase(note) < expected) {
      aside.requireNotMissed(names.get(rank), head, count, names.get(peer), word);
    }
  }

  /**
   * Compares the facts of a rank's note, which has been published, with this rank's.
   *
   * @throws CommMismatchException if they differ
   */
  void requireSame(int peer, long note, long head, long count) {
    if (!boards.isAbout(note, head, count)) {
      Facts.requireSame(
          names.get(rank), head, count, names.get(peer), boards.head(note), boards.count(note));
    }
  }

  /** Who has not published what is waited for. */
  private final class Missing implements Deadline.Progress {
    @Override
    public Set<Integer> missing() {
      Set<Integer> missing = new TreeSet<>();
      for (int peer = 0; peer < names.size(); peer++) {
        boolean isAsked = peer != rank && (asked == Floor.ALL || asked == peer);
        if (isAsked && !boards.isPublished(peer, wanted)) {
          missing.add(names.get(peer));
        }
      }
      return missing;
    }

    @Override
    public String text() {
      Set<Integer> missing = missing();
      return missing.size() == 1
          ? "waiting for rank " + missing.iterator().next()
          : "waiting for ranks " + missing;
    }
  }
}
