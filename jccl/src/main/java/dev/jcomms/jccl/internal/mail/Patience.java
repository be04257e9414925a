package dev.jcomms.jccl.internal.mail;

/**
 * How a wait begins: spinning while every rank has a core, then giving turns to others; after that
 * it is time to sleep. One thread.
 */
final class Patience {
  private static final int SPINS = 4000;
  private static final int YIELDS = 40;

  private final int spins;
  private int done;

  Patience(boolean cores) {
    this.spins = cores ? SPINS : 0;
  }

  /** Something has happened: begins anew. */
  void renew() {
    done = 0;
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
      Thread.yield();
      return true;
    }
    return false;
  }
}
