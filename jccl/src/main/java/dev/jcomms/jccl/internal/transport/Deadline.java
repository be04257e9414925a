package dev.jcomms.jccl.internal.transport;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.spi.Backend;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How long the waits of one operation may take together, and what else ends them: an alarm, or an
 * interrupt of the thread.
 *
 * <p>The clock starts with the first question: an operation that never waits never asks. One
 * thread.
 */
public final class Deadline {
  /** Whose own time is over so soon says what it was waiting for itself, not that another did. */
  public static final long OWN_NANOS = 500_000_000;

  /** In place of a time. */
  private static final long UNASKED = Long.MIN_VALUE;

  private final Duration timeout;
  private final Alarm alarm;
  private Backend.Turn turn;
  private long startNanos = UNASKED;

  /** Who has not come to the operation, as far as can be found out. */
  private Supplier<Set<Integer>> absent = Set::of;

  public Deadline(Duration timeout, Alarm alarm) {
    this(timeout, alarm, null);
  }

  private Deadline(Duration timeout, Alarm alarm, Backend.Turn turn) {
    this.timeout = timeout;
    this.alarm = alarm;
    this.turn = turn;
  }

  /** The deadline of an operation; core has put a timeout into its options. */
  public static Deadline of(OpOptions options, Alarm alarm) {
    return of(options, alarm, null);
  }

  /**
   * The deadline of an operation.
   *
   * @param turn told when the operation's waits {@linkplain #begun begin}; may be null
   */
  public static Deadline of(OpOptions options, Alarm alarm, Backend.Turn turn) {
    // First: while nothing else happens, fields of what is new are written without the collector's
    // barriers.
    Duration timeout = options.timeoutOr(null);
    return new Deadline(timeout, alarm, turn);
  }

  public Duration timeout() {
    return timeout;
  }

  /** The same, for another thread that takes part in the operation. */
  public Deadline ofAnotherThread() {
    leftNanos();
    Deadline other = new Deadline(timeout, alarm);
    other.startNanos = startNanos;
    other.absent = absent;
    return other;
  }

  /**
   * Has this asked who is missing, when the time is over: who is waited for may wait for another
   * itself. If it knows of nobody, the wait says whom it waits for.
   */
  public void ask(Supplier<Set<Integer>> absent) {
    this.absent = absent;
  }

  /**
   * Says that the operation is under way: this rank has given the others what they wait for, or
   * will wait itself. The first time counts.
   */
  public void begun() {
    if (turn != null) {
      Backend.Turn told = turn;
      turn = null;
      told.begun();
    }
  }

  /** What is left of the time; zero or less when it has passed. */
  public long leftNanos() {
    begun();
    long now = System.nanoTime();
    if (startNanos == UNASKED) {
      startNanos = now;
    }
    return timeout.toNanos() - (now - startNanos);
  }

  /** What a wait says of itself when it fails. */
  public interface Progress {
    /** The ranks that have not come. */
    Set<Integer> missing();

    /** How far it got: {@code step 3 of 14}; may be empty. */
    String text();

    /** That of a wait that can name nobody. */
    static Progress alone(String text) {
      return new Progress() {
        @Override
        public Set<Integer> missing() {
          return Set.of();
        }

        @Override
        public String text() {
          return text;
        }
      };
    }
  }

  /**
   * Ends a wait that must not go on.
   *
   * @throws CommTimeoutException if the time is over
   * @throws CommAbortedException if the thread was interrupted; its flag stays set
   * @throws dev.jcomms.CommException what the alarm was raised with
   */
  public void check(Progress progress) {
    if (leftNanos() > OWN_NANOS) {
      alarm.look();
    }
    alarm.check();
    if (Thread.currentThread().isInterrupted()) {
      throw new CommAbortedException("the thread was interrupted", new InterruptedException());
    }
    if (leftNanos() <= 0) {
      throw timedOut(progress);
    }
  }

  private CommTimeoutException timedOut(Progress progress) {
    Set<Integer> missing = absent.get();
    return missing.isEmpty()
        ? new CommTimeoutException(timeout, progress.text(), progress.missing())
        : new CommTimeoutException(timeout, "waiting for ranks " + missing, missing);
  }
}
