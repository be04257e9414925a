package dev.jcomms.jccl.internal.transport;

import dev.jcomms.PeerLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import java.util.function.ObjIntConsumer;

/**
 * Finds out who else is lost where a rank is, before the alarm is raised: processes of one host are
 * killed together, and each takes its own time to end. Any thread.
 *
 * <p>Of its own host a rank knows at once. Those who live with a lost rank elsewhere are called:
 * who answers is not lost, and whose connection ends meanwhile is. When all are known to be one or
 * the other, after a round trip or two as a rule, the alarm is raised with all that are lost.
 */
public final class Losses implements AutoCloseable {
  /** For who neither answers nor ends: one that is stopped, say. */
  private static final long PATIENCE_NANOS = Duration.ofMillis(200).toNanos();

  /** Of a host that has more ranks, so many are called. */
  private static final int MOST_CALLED = 64;

  private final String name;
  private final Roster roster;
  private final Alarm alarm;
  private final BiPredicate<Integer, Integer> together;
  private final ObjIntConsumer<Runnable> caller;
  private final IntPredicate takesPart;

  private final List<PeerLostException> found = new ArrayList<>();
  private final Set<Integer> called = new TreeSet<>();

  /** Those of the called who have neither answered nor been found lost. */
  private final Set<Integer> open = new TreeSet<>();

  /** Null while nobody is lost. */
  private Thread searching;

  private boolean closed;

  /**
   * Searches for who is lost with whom the alarm is told of.
   *
   * @param name of a thread
   * @param together whether two ranks live on one machine, as far as is known
   * @param caller calls a rank that is reached by TCP, and runs what it is given if the rank
   *     answers; does not wait
   * @param takesPart whether a rank does, as far as is known
   */
  public Losses(
      String name,
      Roster roster,
      Alarm alarm,
      BiPredicate<Integer, Integer> together,
      ObjIntConsumer<Runnable> caller,
      IntPredicate takesPart) {
    this.name = name;
    this.roster = roster;
    this.alarm = alarm;
    this.together = together;
    this.caller = caller;
    this.takesPart = takesPart;
    alarm.listen(_ -> wake());
    alarm.search(this::found);
  }

  /** Several losses as one. */
  public static PeerLostException joined(List<PeerLostException> losses) {
    PeerLostException first = losses.getFirst();
    Set<Integer> ranks = new TreeSet<>(first.missingRanks());
    StringBuilder text = new StringBuilder(String.valueOf(first.detail()));
    for (PeerLostException loss : losses) {
      if (ranks.addAll(loss.missingRanks())) {
        text.append("; ").append(loss.detail());
      }
    }
    if (ranks.equals(first.missingRanks())) {
      return first;
    }
    PeerLostException all = new PeerLostException(ranks, text.toString(), first.getCause());
    all.setStackTrace(first.getStackTrace());
    return all;
  }

  private void found(PeerLostException loss) {
    if (!isSearchedFor(loss)) {
      alarm.raise(loss);
    }
  }

  /** Whether the alarm will be raised with a loss by who searches for more. */
  private synchronized boolean isSearchedFor(PeerLostException loss) {
    found.add(loss);
    open.removeAll(loss.missingRanks());
    if (closed || alarm.isRaised()) {
      return false;
    }
    callThoseWith(loss.missingRanks());
    if (searching == null && !open.isEmpty()) {
      searching = Thread.ofPlatform().daemon().name(name).start(this::search);
    }
    notifyAll();
    return searching != null;
  }

  private void callThoseWith(Set<Integer> lost) {
    for (int peer = 0; peer < roster.size() && called.size() < MOST_CALLED; peer++) {
      if (livesWith(peer, lost)
          && !isLost(peer)
          && takesPart.test(peer)
          && called.add(peer)
          && open.add(peer)) {
        int answering = peer;
        caller.accept(() -> answered(answering), peer);
      }
    }
  }

  /** Whether a rank is reached by TCP and where others live. */
  private boolean livesWith(int peer, Set<Integer> others) {
    return peer != roster.rank()
        && roster.to(peer) == Roster.Transport.TCP
        && others.stream().anyMatch(other -> together.test(peer, other));
  }

  private boolean isLost(int peer) {
    return found.stream().anyMatch(loss -> loss.missingRanks().contains(peer));
  }

  private synchronized void answered(int peer) {
    open.remove(peer);
    notifyAll();
  }

  private synchronized void wake() {
    notifyAll();
  }

  private void search() {
    alarm.raise(foundInTime());
  }

  private synchronized PeerLostException foundInTime() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    try {
      for (long left = PATIENCE_NANOS;
          left > 0 && !open.isEmpty() && !closed && !alarm.isRaised();
          left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it; what is known will do.
    }
    return joined(found);
  }

  /** Ends a search: the alarm is raised with what it has found. */
  @Override
  public void close() {
    Thread ending;
    synchronized (this) {
      closed = true;
      notifyAll();
      ending = searching;
    }
    if (ending != null) {
      try {
        ending.join(Duration.ofSeconds(1));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
