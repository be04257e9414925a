package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.internal.posix.Slice;
import dev.jcomms.jccl.internal.transport.Deadline;
import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits that has nothing to go on with: it spins while all ranks have cores, gives
 * turns to others, then naps, longer and longer. Naps look after the deadline and after peers. One
 * thread.
 */
final class Pause {
  /** Rounds over all blocks, so each is longer than a look at a flag: some ten microseconds. */
  private static final int SPINS = 300;

  private static final int YIELDS = 200;
  private static final long SHORTEST_NANOS = 20_000;
  private static final long LONGEST_NANOS = 1_000_000;

  private final int spins;
  private final Runnable attend;
  private Deadline deadline;
  private Deadline.Progress progress;
  private int done;
  private long nap;

  /**
   * @param cores whether every rank has a core
   * @param attend looks after peers: raises the alarm if one is lost
   */
  Pause(boolean cores, Runnable attend) {
    this.spins = cores ? SPINS : 0;
    this.attend = attend;
  }

  Pause begin(Deadline limit, Deadline.Progress told) {
    deadline = limit;
    progress = told;
    renew();
    return this;
  }

  /** Something has happened. */
  void renew() {
    done = 0;
    nap = SHORTEST_NANOS;
  }

  /** Waits a little. */
  void pause() {
    if (done < spins) {
      done++;
      Thread.onSpinWait();
    } else if (done < spins + YIELDS) {
      done++;
      Slice.giveAway();
    } else {
      deadline.check(progress);
      LockSupport.parkNanos(nap);
      nap = Math.min(2 * nap, LONGEST_NANOS);
      attend.run();
    }
  }
}
