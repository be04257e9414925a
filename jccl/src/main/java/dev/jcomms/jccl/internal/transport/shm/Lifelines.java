package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.posix.Proc;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Losses;
import dev.jcomms.jccl.internal.transport.Peer;
import dev.jcomms.jccl.internal.transport.Roster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether the processes of a host's ranks live: asked of the kernel by who has waited a while, so
 * nobody sends heartbeats inside a host.
 *
 * <p>A process that is gone is lost at once; one that was stopped, when it has been so for the
 * heartbeat limit, by what any communicator of this process has seen. With one that is lost, all
 * are: those who are about to end, and those who were stopped at about the same time. Any thread.
 */
public final class Lifelines implements Runnable {
  private static final long PAUSE_NANOS = 50_000_000;

  /** Of the limit: who has been stopped for so long when another is lost, is lost with it. */
  private static final double NEARLY = 0.9;

  /** One rank of another process. */
  private record Line(int rank, Peer peer) {
    PeerLostException lost(String how) {
      return new PeerLostException(Set.of(rank), "rank " + rank + " is lost: " + how);
    }

    PeerLostException ended() {
      return lost("its process " + peer.pid() + " has ended");
    }
  }

  private final List<Line> lines = new ArrayList<>();
  private final Alarm alarm;
  private final Duration limit;
  private volatile Floor floor;
  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime() - PAUSE_NANOS);

  public Lifelines(Roster roster, Alarm alarm, Duration limit) {
    this.alarm = alarm;
    this.limit = limit;
    Peer self = roster.peers().get(roster.rank());
    for (int r : roster.host(roster.rank())) {
      if (!roster.peers().get(r).sameProcess(self)) {
        lines.add(new Line(r, roster.peers().get(r)));
      }
    }
    alarm.count(this::ended);
  }

  /** Tells where ranks say that they have closed, or failed: they may end their processes then. */
  public void heed(Floor floor) {
    this.floor = floor;
  }

  /** Looks, unless somebody has just looked; raises the alarm if a rank is lost. */
  @Override
  public void run() {
    long now = System.nanoTime();
    long last = lastNanos.get();
    if (now - last < PAUSE_NANOS || !lastNanos.compareAndSet(last, now)) {
      return;
    }
    lookAtAll(now);
  }

  /** Looks, also if somebody has just looked: for who has seen that one is gone. */
  public void lookNow() {
    lookAtAll(System.nanoTime());
  }

  private void lookAtAll(long now) {
    List<PeerLostException> lost = new ArrayList<>();
    List<PeerLostException> nearly = new ArrayList<>();
    for (Line line : lines) {
      Proc.State state = Proc.state(line.peer.pid(), line.peer.startTicks());
      if (state == Proc.State.STOPPED) {
        long nanos = Stops.nanos(line.peer, now);
        if (nanos >= NEARLY * limit.toNanos()) {
          String how = "its process %d has been stopped for %.1f s";
          PeerLostException stopped =
              line.lost(String.format(Locale.ROOT, how, line.peer.pid(), nanos / 1e9));
          (nanos >= limit.toNanos() ? lost : nearly).add(stopped);
        }
      } else {
        Stops.over(line.peer);
        if (state == Proc.State.DEAD) {
          lost.add(line.ended());
        }
      }
    }
    if (!lost.isEmpty()) {
      lost.removeIf(this::hasLeft);
    }
    if (!lost.isEmpty()) {
      lost.addAll(nearly);
      alarm.lose(Losses.joined(lost));
    }
  }

  /** Whether a rank has said why it is not there; if that was a failure, that comes first. */
  private boolean hasLeft(PeerLostException loss) {
    Floor said = floor;
    if (said == null) {
      return false;
    }
    said.look(); // now that it says nothing more
    CommException left = said.standings().left(loss.missingRanks().iterator().next());
    if (left != null && !(left instanceof PeerLostException)) {
      alarm.raise(left);
    }
    return left != null;
  }

  /** Whether a rank of this host neither has ended, nor is about to, nor is stopped. */
  public boolean lives(int rank) {
    for (Line line : lines) {
      if (line.rank == rank) {
        long pid = line.peer.pid();
        long ticks = line.peer.startTicks();
        return Proc.state(pid, ticks) == Proc.State.ALIVE && !Proc.isDoomed(pid, ticks);
      }
    }
    return true; // of this process
  }

  /** Who has ended without a word, or is about to. */
  private List<PeerLostException> ended() {
    Floor said = floor;
    List<PeerLostException> ended = new ArrayList<>();
    for (Line line : lines) {
      if (Proc.isDoomed(line.peer.pid(), line.peer.startTicks())
          && (said == null || said.standings().hasSaidNothing(line.rank))) {
        ended.add(line.ended());
      }
    }
    return ended;
  }
}
