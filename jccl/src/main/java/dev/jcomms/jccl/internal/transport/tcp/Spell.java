package dev.jcomms.jccl.internal.transport.tcp;

import dev.jcomms.jccl.internal.transport.Elbows;
import java.util.function.BooleanSupplier;

/**
 * The while in which a rank looks at its sockets again and again before it sleeps: what it waits
 * for may well come sooner than it would be asleep and woken up. One thread.
 */
final class Spell {
  /** About a round trip within a rack, and what going to sleep and waking up cost. */
  private static final long SPELL_NANOS = 30_000;

  /** After which a rank asks whether it keeps a peer from running; again after twice. */
  private static final long PATIENCE_NANOS = 4_000;

  private final boolean maySpin;
  private final Elbows elbows = new Elbows();
  private boolean begun;
  private long startNanos;
  private long patienceNanos;
  private long spells;

  /**
   * @param maySpin whether the host has a core to spare for this rank
   */
  Spell(boolean maySpin) {
    this.maySpin = maySpin;
  }

  /** Something has moved. */
  void end() {
    begun = false;
  }

  /**
   * Lets a moment pass, unless it is time to sleep: whether to look again.
   *
   * @param look looks: whether something has moved
   */
  boolean goesOn(BooleanSupplier look) {
    if (!maySpin) {
      return false;
    }
    long now = System.nanoTime();
    if (!begun) {
      begin(now);
    }
    long spent = now - startNanos;
    if (spent >= SPELL_NANOS) {
      return false;
    }
    if (spent < patienceNanos) {
      Thread.onSpinWait();
    } else {
      patienceNanos *= 2;
      elbows.giveTurn(spells, look);
    }
    return true;
  }

  private void begin(long now) {
    begun = true;
    spells++;
    patienceNanos = PATIENCE_NANOS;
    startNanos = elbows.areInTheWay() ? now - SPELL_NANOS : now;
  }
}
