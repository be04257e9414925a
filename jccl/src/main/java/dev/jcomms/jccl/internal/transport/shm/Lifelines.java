package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.posix.Proc;
import dev.jcomms.jccl.internal.transport.Alarm;
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
 * heartbeat limit, by what any communicator of this process has seen. Any thread.
 */
public final class Lifelines implements Runnable {
  private static final long PAUSE_NANOS = 50_000_000;

  /** One rank of another process. */
  private record Line(int rank, Peer peer) {}

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
    for (Line line : lines) {
      Proc.State state = Proc.state(line.peer.pid(), line.peer.startTicks());
      if (state == Proc.State.DEAD) {
        Stops.over(line.peer);
        lost(line, "its process " + line.peer.pid() + " has ended");
      } else if (state == Proc.State.ALIVE) {
        Stops.over(line.peer);
      } else {
        long nanos = Stops.nanos(line.peer, now);
        if (nanos >= limit.toNanos()) {
          String how = "its process %d has been stopped for %.1f s";
          lost(line, String.format(Locale.ROOT, how, line.peer.pid(), nanos / 1e9));
        }
      }
    }
  }

  private void lost(Line line, String how) {
    Floor said = floor;
    if (said != null) {
      // Now that it says nothing more: the failure that it has told of comes first.
      said.look();
      CommException left = said.left(line.rank);
      if (left != null) {
        if (!(left instanceof PeerLostException)) {
          alarm.raise(left);
        }
        return;
      }
    }
    alarm.raise(new PeerLostException(Set.of(line.rank), "rank " + line.rank + " is lost: " + how));
  }
}
