package dev.jcomms.internal;

import dev.jcomms.tensor.internal.memory.Membarrier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lane that is one thread's own until others come: it enters and leaves by plain writes. An
 * atomic step would wait for all that the thread has written before, as the last operation's notes,
 * which other ranks are about to fetch.
 *
 * <p>Its thread says that it enters and then looks whether it still may, with no fence between.
 * Whoever withdraws the seat orders one for both: from then on either the thread sees that the seat
 * is withdrawn, or the others see that it is taken. A seat that was withdrawn never comes back; the
 * next is another object, so that a thread that comes late disturbs nobody.
 */
final class Seat {
  /** A seat that is nobody's. */
  static final Seat FREE = new Seat(-1, false);

  private static final int EMPTY = 0;
  private static final int BEING_TAKEN = 1;
  private static final int TAKEN = 2;

  private static final VarHandle STATE = stateField();

  private final long thread;
  private volatile boolean kept;

  /** Whether all threads have passed a fence since. */
  private volatile boolean withdrawn;

  /** Written by its thread alone. */
  private int state = EMPTY;

  Seat(long thread) {
    this(thread, true);
  }

  private Seat(long thread, boolean kept) {
    this.thread = thread;
    this.kept = kept;
    this.withdrawn = !kept;
  }

  private static VarHandle stateField() {
    try {
      return MethodHandles.lookup().findVarHandle(Seat.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether there are seats: not without a fence that one thread orders for another. */
  static boolean isPossible() {
    return Membarrier.takePart();
  }

  /** Whether this thread has it to itself now; it has to {@link #sit} then. */
  boolean tryEnter(long thread) {
    if (thread != this.thread || !kept) {
      return false;
    }
    STATE.setOpaque(this, BEING_TAKEN);
    if (kept) {
      return true;
    }
    leave();
    return false;
  }

  /** Shows what was written since it was entered along with that. */
  void sit() {
    STATE.setRelease(this, TAKEN);
  }

  void leave() {
    STATE.setRelease(this, EMPTY);
  }

  /** Whether its thread has it; for who has the lane. */
  boolean isTaken() {
    return state == TAKEN;
  }

  boolean isBeingTaken() {
    return (int) STATE.getAcquire(this) == BEING_TAKEN;
  }

  /** Whether its thread is not in the lane, and will not come this way any more. */
  boolean isFree() {
    return withdrawn && (int) STATE.getAcquire(this) == EMPTY;
  }

  /** Has its thread compete as all do. One thread at a time. */
  void withdraw() {
    if (!withdrawn) {
      kept = false;
      Membarrier.fence();
      withdrawn = true;
    }
  }
}
