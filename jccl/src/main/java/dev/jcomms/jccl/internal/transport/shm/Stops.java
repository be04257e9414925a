package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.jccl.internal.posix.Proc;
import dev.jcomms.jccl.internal.transport.Peer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long processes have been stopped, as far as this one has seen. What one communicator sees
 * counts for all that share the peer: else a program that uses them in turn would wait for a
 * stopped rank once for each. Any thread.
 */
final class Stops {
  /**
   * One stop.
   *
   * @param turns of the process when it was seen: another number later, and it has run in between
   */
  private record Stop(long sinceNanos, long turns) {}

  private static final Map<Peer, Stop> SEEN = new ConcurrentHashMap<>();

  private Stops() {}

  /** For how long a process has been seen stopped that is so now. */
  static long nanos(Peer peer, long nowNanos) {
    long turns = Proc.turns(peer.pid());
    Stop stop =
        SEEN.compute(
            peer,
            (_, seen) -> seen != null && seen.turns == turns ? seen : new Stop(nowNanos, turns));
    return nowNanos - stop.sinceNanos;
  }

  /** Says that a process runs, or has ended. */
  static void over(Peer peer) {
    if (!SEEN.isEmpty()) {
      SEEN.remove(peer);
    }
  }
}
