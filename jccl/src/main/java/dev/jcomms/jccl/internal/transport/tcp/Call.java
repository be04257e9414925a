package dev.jcomms.jccl.internal.transport.tcp;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A connection that a rank dials: again and again, with growing pauses, or, if it is a question,
 * once. Of the switchboard's thread.
 */
final class Call {
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();
  private static final long LAST_PAUSE_NANOS = Duration.ofMillis(500).toNanos();

  final Plug plug;
  final Notice notice;

  /** Gets the answer, and makes the call a question; null if it is none. */
  final Consumer<Notice> question;

  /** When a question is of no interest any more. */
  private final long endNanos;

  /** Null between attempts. */
  Caller handshake;

  /** Whether the peer is on this machine, as the attempt has shown, and runs beside this rank. */
  boolean near;

  private long nextNanos = System.nanoTime();
  private long pauseNanos = FIRST_PAUSE_NANOS;

  private Call(Plug plug, Notice notice, Consumer<Notice> question, Duration time) {
    this.plug = plug;
    this.notice = notice;
    this.question = question;
    this.endNanos = nextNanos + time.toNanos();
  }

  /** For a connection that is kept. */
  static Call to(Plug plug) {
    return new Call(plug, Notice.NONE, null, Duration.ZERO);
  }

  /** To ask what a peer knows of an operation, and hang up. */
  static Call about(Notice notice, int peer, int group, Duration time, Consumer<Notice> answer) {
    return new Call(new Plug(Purpose.QUESTION, group, peer), notice, answer, time);
  }

  boolean isQuestion() {
    return question != null;
  }

  /** When there is something to do: the next attempt, or to give up the one under way. */
  long dueNanos() {
    if (handshake == null) {
      return nextNanos;
    }
    long frame = handshake.deadlineNanos();
    return !isQuestion() || frame - endNanos < 0 ? frame : endNanos;
  }

  /** The attempt has failed: the next one comes after a pause. */
  void rest() {
    handshake = null;
    nextNanos = System.nanoTime() + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, LAST_PAUSE_NANOS);
  }
}
