package dev.jcomms.jccl.internal.mail;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Whether a peer at the other end of a socket is heard of, and hears of this rank. Under the guard,
 * but for the answers to calls.
 *
 * <p>Anything that comes is a sign of life, and where there is nothing else to send, a beat is
 * sent: a peer hears something every second, or every tenth of the limit if that is less.
 *
 * <p>When the network is back after an outage, TCP may be silent for as long again, since it waits
 * twice as long before each attempt. So a peer that is silent for half the limit is called, over a
 * new connection each time, and its answer is a sign of life, too.
 */
final class Heartbeat {
  private static final long SECOND = 1_000_000_000;

  /** A daemon that comes so late was held up itself: that time does not count. */
  private static final long LATE = SECOND / 10;

  /** In limits: after two outages in a row TCP has tried again; if not, it never will. */
  private static final int MOST_WITHOUT_MAIL = 3;

  /** Two beats, in intervals. */
  private static final int FEW_BEATS = 4;

  private final long limit;

  /** Half the time between beats: what is written right after one look counts at the next only. */
  private final long interval;

  private final Consumer<Runnable> caller;
  private long heardAt;
  private long mailAt;
  private long beatAt;
  private volatile boolean answered;

  /**
   * @param caller calls the peer, and runs what it is given if the peer answers; on any thread
   */
  Heartbeat(Duration limit, long now, Consumer<Runnable> caller) {
    this.limit = limit.toNanos();
    this.interval = Math.min(SECOND, this.limit / 10) / 2;
    this.caller = caller;
    this.heardAt = now;
    this.mailAt = now;
    this.beatAt = now;
  }

  void heard(long now) {
    heardAt = now;
    mailAt = now;
  }

  /**
   * Sends a beat if it is time for one, calls a peer that is silent, and gives one up that was so
   * for too long.
   *
   * @param late how much later this is done than it was to be
   * @return how long nothing needs to be done
   */
  long keep(PipedCorrespondent peer, long now, long late) {
    if (late > LATE) {
      heardAt = Math.min(now, heardAt + late);
      mailAt = Math.min(now, mailAt + late);
    }
    if (answered) {
      answered = false;
      heardAt = now;
    }
    boolean takesPart = peer.left() == null;
    long silent = now - heardAt;
    long untilLost = limit - silent;
    long untilBroken = MOST_WITHOUT_MAIL * limit - (now - mailAt);
    if (takesPart && Math.min(untilLost, untilBroken) <= 0) {
      peer.lose(untilLost <= 0 ? notHeardOf(silent) : "it answers, but its mail does not come");
      return limit;
    }
    if (now - beatAt >= interval) {
      beatAt = now;
      peer.beat();
      if (takesPart && silent >= limit / 2) {
        caller.accept(() -> answered = true);
      }
    }
    long untilJudged = takesPart ? Math.min(untilLost, untilBroken) : limit;
    return Math.max(1, Math.min(interval - (now - beatAt), untilJudged));
  }

  /**
   * Gives a peer up with another one that was silent for too long, if it has been so for about that
   * time, too: all ranks of a host that goes down, or is cut off, fall silent within a beat.
   */
  void giveUpWithAnother(PipedCorrespondent peer, long now) {
    long silent = now - heardAt;
    if (peer.left() == null && silent >= limit - FEW_BEATS * interval) {
      peer.lose(notHeardOf(silent));
    }
  }

  /** Whether the peer was heard of within the last beats. */
  boolean isFresh(long now) {
    return now - heardAt < FEW_BEATS * interval;
  }

  private static String notHeardOf(long silent) {
    return String.format(
        Locale.ROOT, "not heard of for %.1f s (stopped, or cut off)", silent / 1e9);
  }
}
