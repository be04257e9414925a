package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a rank has published of an operation in which it waits elsewhere, for messages say, and has
 * not compared with the others' yet: whoever looks round meanwhile does.
 *
 * <p>Made and ended by the thread that performs operations; any thread looks.
 */
final class Announcement {
  private static final long NONE = 0;

  private final Boards boards;
  private final Standings standings;
  private final Vigil vigil;
  private final int rank;
  private final List<Integer> names;

  /** The phase it is about. The others belong to it. */
  private volatile long phase = NONE;

  private long head;
  private long count;

  Announcement(Boards boards, Standings standings, Vigil vigil, int rank, List<Integer> names) {
    this.boards = boards;
    this.standings = standings;
    this.vigil = vigil;
    this.rank = rank;
    this.names = names;
  }

  void make(long phase, long head, long count) {
    this.head = head;
    this.count = count;
    this.phase = phase;
  }

  void end() {
    phase = NONE;
  }

  long head() {
    return head;
  }

  long count() {
    return count;
  }

  /** The ranks, by name, that have not come to it. */
  Set<Integer> absent() {
    return standings.whileHere(this::findAbsent, Set.of());
  }

  private Set<Integer> findAbsent() {
    long looked = phase;
    Set<Integer> absent = new TreeSet<>();
    for (int peer = 0; peer < names.size() && looked != NONE; peer++) {
      if (peer != rank && !boards.isPublished(peer, looked)) {
        absent.add(names.get(peer));
      }
    }
    return absent;
  }

  /**
   * What others have declared, or why they do not fit with what is announced, if anything is; null
   * if all is well.
   */
  Standings.Found look() {
    long looked = phase;
    // Who has waited too long for one rank is of no concern to those who wait for others.
    Standings.Found found = standings.find(Standings.NOBODY, () -> true, looked != NONE);
    if (found != null || looked == NONE) {
      return found;
    }
    CommException failure = null;
    for (int peer = 0; peer < names.size() && failure == null; peer++) {
      if (peer != rank) {
        failure = lookAt(peer, looked);
      }
    }
    return Standings.Found.here(failure);
  }

  /** Looks at one rank, while what was announced stands. */
  private CommException lookAt(int peer, long looked) {
    long note = Boards.note(peer, looked);
    boolean left = standings.isClosed(peer);
    boolean come = boards.phase(note) >= looked;
    CommException failure = null;
    try {
      if (come) {
        vigil.requireSame(peer, note, head, count);
      } else {
        vigil.requireNotAside(peer, note, looked, head, count);
      }
    } catch (CommMismatchException e) {
      failure = e;
    }
    if (left && !come) {
      failure = standings.closed(peer);
    }
    VarHandle.acquireFence();
    return phase == looked ? failure : null;
  }
}
