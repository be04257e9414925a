package dev.jcomms.jccl.internal.transport;

import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Looks into losses before the alarm is raised with them. Any thread.
 *
 * <p>Processes of one machine are killed together, and each takes its own time to end. So those who
 * live with a rank that this one has lost are called: who answers is not lost, and whose connection
 * ends meanwhile is. When all are known to be one or the other, after a round trip or two as a
 * rule, the alarm is raised with all that are lost.
 *
 * <p>Who was cut off for a while may tell of the loss of ranks that are well. So a rank of which
 * another tells, and which is heard of here, is called. If it answers, who has told is the one that
 * is lost: it has given up. A dead rank answers nobody, and its connection ends.
 */
public final class Losses implements Alarm.Search, AutoCloseable {
  /** For who neither answers nor ends: one that is stopped, say. */
  private static final long PATIENCE_NANOS = Duration.ofMillis(200).toNanos();

  /** Of a machine that has more ranks, so many are called. */
  private static final int MOST_CALLED = 64;

  /** What there is to know of other ranks; nothing here waits. */
  public interface View {
    /** Whether two ranks live on one machine, as far as is known. */
    boolean together(int one, int other);

    /** Whether a rank takes part, as far as is known. */
    boolean takesPart(int peer);

    /** Whether a rank that takes part is well: heard of just now, or seen to live. */
    boolean isWell(int peer);

    /** Calls a rank that is reached by TCP, and runs this if the rank itself answers. */
    void call(int peer, Runnable answered);
  }

  private final String name;
  private final Roster roster;
  private final Alarm alarm;
  private final View view;

  private final List<PeerLostException> found = new ArrayList<>();
  private final Set<Integer> called = new TreeSet<>();

  /** Those of the called who have neither answered nor been found lost. */
  private final Set<Integer> open = new TreeSet<>();

  /** What is looked into; null for nothing. */
  private Claim claim;

  /** Null while there is nothing to look into. */
  private Thread searching;

  private long endNanos;
  private boolean closed;

  /** What another rank has told. */
  private static final class Claim {
    final int from;
    final PeerLostException told;
    final CommException elsewhere;

    /** Those it names who are well here, and may answer. */
    final Set<Integer> doubted = new TreeSet<>();

    /** Those it names who live. */
    final Set<Integer> alive = new TreeSet<>();

    Claim(int from, PeerLostException told, CommException elsewhere) {
      this.from = from;
      this.told = told;
      this.elsewhere = elsewhere;
    }

    Set<Integer> believed() {
      Set<Integer> believed = new TreeSet<>(told.missingRanks());
      believed.removeAll(alive);
      return believed;
    }
  }

  /**
   * Looks into losses that the alarm is told of, from now on.
   *
   * @param name of a thread
   */
  public Losses(String name, Roster roster, Alarm alarm, View view) {
    this.name = name;
    this.roster = roster;
    this.alarm = alarm;
    this.view = view;
    alarm.listen(_ -> wake());
    alarm.search(this);
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

  @Override
  public void found(PeerLostException loss) {
    if (!isSearchedFor(loss)) {
      alarm.raise(loss);
    }
  }

  @Override
  public void heard(int from, PeerLostException told, CommException elsewhere) {
    Claim heard = new Claim(from, told, elsewhere);
    if (isFar(from) && !told.missingRanks().contains(from)) {
      told.missingRanks().stream()
          .filter(peer -> peer >= 0 && peer < roster.size() && peer != roster.rank())
          .filter(peer -> view.takesPart(peer) && view.isWell(peer))
          .forEach(peer -> (isFar(peer) ? heard.doubted : heard.alive).add(peer));
    }
    if (!isLookedInto(heard)) {
      alarm.raise(told, elsewhere);
    }
  }

  private boolean isFar(int peer) {
    return roster.to(peer) == Roster.Transport.TCP;
  }

  /** Whether the alarm will be raised with a loss by who searches for more. */
  private synchronized boolean isSearchedFor(PeerLostException loss) {
    found.add(loss);
    open.removeAll(loss.missingRanks());
    if (claim != null) {
      claim.doubted.removeAll(loss.missingRanks());
    }
    if (closed || alarm.isRaised()) {
      return false;
    }
    callThoseWith(loss.missingRanks());
    if (!open.isEmpty()) {
      start();
    }
    notifyAll();
    return searching != null;
  }

  /** Whether the alarm will be raised with what is true of a claim, or with another's. */
  private synchronized boolean isLookedInto(Claim heard) {
    if (closed || alarm.isRaised() || heard.doubted.isEmpty() && heard.alive.isEmpty()) {
      return false;
    }
    if (claim == null) {
      claim = heard;
      found.forEach(loss -> claim.doubted.removeAll(loss.missingRanks()));
      // Called now: what one has answered before says nothing of now.
      Set.copyOf(claim.doubted).forEach(peer -> view.call(peer, () -> answered(heard, peer)));
      start();
    }
    return true;
  }

  private void start() {
    if (searching == null) {
      endNanos = System.nanoTime() + PATIENCE_NANOS; // however many are found meanwhile
      searching = Thread.ofPlatform().daemon().name(name).start(this::search);
    }
  }

  private void callThoseWith(Set<Integer> lost) {
    IntStream.range(0, roster.size())
        .filter(peer -> peer != roster.rank() && isFar(peer) && !called.contains(peer))
        .filter(peer -> lost.stream().anyMatch(other -> view.together(peer, other)))
        .filter(peer -> !isLost(peer) && view.takesPart(peer))
        .limit(MOST_CALLED - called.size())
        .boxed()
        .toList()
        .forEach(
            peer -> {
              called.add(peer);
              open.add(peer);
              view.call(peer, () -> answered(peer));
            });
  }

  private boolean isLost(int peer) {
    return found.stream().anyMatch(loss -> loss.missingRanks().contains(peer));
  }

  private synchronized void answered(int peer) {
    open.remove(peer);
    notifyAll();
  }

  private synchronized void answered(Claim about, int peer) {
    if (about.doubted.remove(peer)) {
      about.alive.add(peer);
    }
    notifyAll();
  }

  private synchronized void wake() {
    notifyAll();
  }

  private void search() {
    verdict().run();
  }

  /** What the alarm is to be raised with, when all is known or time is over. */
  private synchronized Runnable verdict() {
    try {
      for (long left = PATIENCE_NANOS;
          left > 0 && !isAllKnown() && !closed && !alarm.isRaised();
          left = endNanos - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it; what is known will do.
    }
    if (!found.isEmpty()) {
      PeerLostException loss = joined(found);
      return () -> alarm.raise(loss);
    }
    return verdict(claim);
  }

  private boolean isAllKnown() {
    return open.isEmpty() && (claim == null || claim.doubted.isEmpty());
  }

  private Runnable verdict(Claim claim) {
    Set<Integer> believed = claim.believed();
    if (claim.alive.isEmpty()) {
      return () -> alarm.raise(claim.told, claim.elsewhere);
    }
    PeerLostException truth =
        believed.isEmpty()
            ? new PeerLostException(
                Set.of(claim.from),
                "rank %d has given up ranks %s, which are well here: %s"
                    .formatted(claim.from, claim.alive, claim.told.detail()))
            : new PeerLostException(believed, claim.told.detail());
    return () -> alarm.raise(truth, truth);
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
