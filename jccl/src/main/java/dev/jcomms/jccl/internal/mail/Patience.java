package dev.jcomms.jccl.internal.mail;

import dev.jcomms.jccl.internal.posix.Slice;

/**
 * How a wait begins: spinning while every rank has a core, then giving turns to others; after that
 * it is time to sleep. One thread, but for the budget.
 *
 * <p>Spinning helps only while the peer runs. Where that is not so, because it computes or because
 * others use the cores, waits outlast it: then it is cut, down to next to nothing, until waits are
 * short again.
 */
final class Patience {
  /** How long waits of one kind spin. Racy: whoever loses a change makes it the next time. */
  static final class Budget {
    private static final int LEAST = 16;

    private final int most;
    private volatile int spins;

    /**
     * @param cores whether every rank has a core; if not, nobody spins
     */
    Budget(boolean cores, int most) {
      this.most = cores ? most : 0;
      this.spins = this.most;
    }

    private void paid() {
      spins = Math.min(most, 2 * spins);
    }

    private void wasted() {
      spins = Math.min(most, Math.max(LEAST, spins / 2));
    }
  }

  /** For who only looks at a flag, and for who looks at all rings: about as long. */
  static final int FLAG = 3000;

  static final int RINGS = 600;

  private static final int YIELDS = 40;
  private static final long TURN_NANOS = 5_000;

  private final Budget budget;
  private int spins;
  private int done;
  private boolean crowded;

  Patience(Budget budget) {
    this.budget = budget;
    this.spins = budget.spins;
  }

  /** Something has happened: begins anew. */
  void renew() {
    if (done > 0) {
      if (crowded) {
        budget.wasted();
      } else if (done < spins + YIELDS) {
        budget.paid();
      }
      spins = budget.spins;
      done = 0;
      crowded = false;
    }
  }

  /** Waits a little; false if it is time to sleep. */
  boolean pause() {
    if (done < spins) {
      done++;
      Thread.onSpinWait();
      return true;
    }
    if (done < spins + YIELDS) {
      done++;
      long before = System.nanoTime();
      Slice.giveAway();
      // A turn that takes so long was somebody's: maybe the peer's, who has waited for this core.
      crowded |= System.nanoTime() - before > TURN_NANOS;
      return true;
    }
    crowded = true;
    return false;
  }
}
