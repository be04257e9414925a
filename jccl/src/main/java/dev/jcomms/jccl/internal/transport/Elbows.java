package dev.jcomms.jccl.internal.transport;

import dev.jcomms.jccl.internal.posix.Processor;
import dev.jcomms.jccl.internal.posix.Slice;
import java.util.function.BooleanSupplier;

/**
 * Keeps a rank that spins from standing in the way of the one it waits for.
 *
 * <p>Every rank may have a processor, and two of them run on the same one all the same: the other
 * was busy when one woke the other, with a compiler say, and the scheduler takes up to a second to
 * part them. Then each spins in vain while the other could run, and an operation takes as long as a
 * spin. So who has spun for a while gives a turn away; if that brings what is waited for, phase
 * after phase, the other is here. Then one of them goes: by sleeping, since who is woken is put
 * where nobody is, and if they are together again soon, to any other processor.
 *
 * <p>One thread.
 */
public final class Elbows {
  /** What a turn takes at least in which another thread has done something. */
  private static final long TURN_NANOS = 2_000;

  /** How often a turn must have helped, one time after the other. */
  private static final int PROOFS = 4;

  /** Of two ranks on one processor each waits in every other phase. */
  private static final long PHASES = 2;

  /** Within which sleeping has been of no use: no processor was idle. */
  private static final long SOON_NANOS = 20_000_000;

  private final Scheduler scheduler;
  private int proofs;
  private long provedAt;
  private long sleptAt;

  /** What is asked of the system. */
  interface Scheduler {
    long nanoTime();

    /** Lets others run on this processor first. */
    void yield();

    /** Moves this thread to another processor. */
    void leave();
  }

  public Elbows() {
    this(new OfThisThread());
  }

  Elbows(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.sleptAt = scheduler.nanoTime() - SOON_NANOS;
  }

  /** Lets others run here first; whether what is waited for in a phase has come by that. */
  public boolean giveTurn(long phase, BooleanSupplier come) {
    long start = scheduler.nanoTime();
    scheduler.yield();
    boolean helped = come.getAsBoolean();
    if (!helped || scheduler.nanoTime() - start < TURN_NANOS) {
      proofs = 0;
    } else {
      proofs = phase - provedAt <= PHASES ? proofs + 1 : 1;
      provedAt = phase;
    }
    return helped;
  }

  /** Whether this rank had better sleep now than spin; it moves away if it has just slept. */
  public boolean areInTheWay() {
    if (proofs < PROOFS) {
      return false;
    }
    proofs = 0;
    long now = scheduler.nanoTime();
    boolean again = now - sleptAt < SOON_NANOS;
    sleptAt = now;
    if (again) {
      scheduler.leave();
    }
    return !again;
  }

  private static final class OfThisThread implements Scheduler {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void yield() {
      Slice.giveAway();
    }

    @Override
    public void leave() {
      Processor.leave();
    }
  }
}
