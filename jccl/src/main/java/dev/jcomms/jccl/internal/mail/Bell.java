package dev.jcomms.jccl.internal.mail;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jcomms.jccl.internal.posix.Futex;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * How a rank that sleeps is told that there is something in its rings. Any thread of any process of
 * the host rings; the rank's own threads sleep.
 *
 * <p>Two may sleep: a thread in a blocking call, and the rank's daemon. Each has a word of its own,
 * so that ringing wakes one of them only: the call, if there is one. Who sleeps has said so first,
 * in a word that ringers look at after they have published; with nobody asleep, a ring costs a
 * fence and a read.
 */
final class Bell {
  /** The rank's thread that makes progress while nobody calls. */
  static final int DAEMON = 1;

  /** A thread in a blocking call. */
  static final int DRIVER = 2;

  static final long BYTES = 128;

  private static final long ASLEEP = 0;
  private static final long DAEMON_WORD = 4;
  private static final long DRIVER_WORD = 8;
  private static final long GONE = 12;
  private static final VarHandle INT = JAVA_INT.varHandle();

  private final MemorySegment memory;

  Bell(MemorySegment memory) {
    this.memory = memory;
  }

  /** Wakes who sleeps, after something was published. */
  void ring() {
    VarHandle.fullFence();
    if ((int) INT.getOpaque(memory, ASLEEP) != 0) {
      int asleep = (int) INT.getAndSet(memory, ASLEEP, 0);
      if (asleep != 0) {
        rouse((asleep & DRIVER) != 0 ? DRIVER : DAEMON);
      }
    }
  }

  /** Wakes one of the two whether or not it sleeps: its next sleep ends at once. */
  void rouse(int who) {
    INT.getAndAdd(memory, word(who), 1);
    Futex.wake(memory, word(who));
  }

  /** What a sleep is begun with: taken before looking whether there is reason to sleep. */
  int ticket(int who) {
    return (int) INT.getAcquire(memory, word(who));
  }

  /** Asks to be rung for. What was published before is seen by who looks after this. */
  void arm(int who) {
    INT.getAndBitwiseOr(memory, ASLEEP, who);
    VarHandle.fullFence();
  }

  /** Asks to be left alone. */
  void disarm(int who) {
    if (((int) INT.getOpaque(memory, ASLEEP) & who) != 0) {
      INT.getAndBitwiseAnd(memory, ASLEEP, ~who);
    }
  }

  /** Sleeps unless it was rung since the ticket was taken. */
  void sleep(int who, int ticket, long nanos) {
    Futex.sleep(memory, word(who), ticket, nanos);
  }

  /** Says that the rank writes nothing any more. */
  void leave() {
    INT.setRelease(memory, GONE, 1);
  }

  /** Whether the rank has left: what it has written by then is all there is. */
  boolean isGone() {
    return (int) INT.getAcquire(memory, GONE) != 0;
  }

  private static long word(int who) {
    return who == DRIVER ? DRIVER_WORD : DAEMON_WORD;
  }
}
