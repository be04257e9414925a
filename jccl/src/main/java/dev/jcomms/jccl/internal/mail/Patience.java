package dev.jcomms.jccl.internal.mail;

/**
 * How a wait begins: spinning while every rank has a core, then giving turns to others; after that
 * it is time to sleep. One thread.
 */
final class Patience {
  /** For who only looks at a flag, and for who looks at all rings: about as long. */
  static final int FLAG = 3000;

  static final int RINGS = 600;

  private static final int YIELDS = 40;

  private final int spins;
  private int done;

  Patience(boolean cores, int spins) {
    this.spins = cores ? spins : 0;
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
