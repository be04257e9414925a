package dev.jcomms.jccl.internal.mail;

import java.time.Duration;
import java.util.Locale;

/**
 * Whether a peer at the other end of a socket is heard of, and hears of this rank. Under the guard.
 *
 * <p>Anything that comes is a sign of life, and where there is nothing else to send, a beat is
 * sent: a peer hears something every second, or every quarter of the limit if that is less.
 */
final class Heartbeat {
  private static final long SECOND = 1_000_000_000;

  /** A daemon that comes so late was held up itself: that time does not count. */
  private static final long LATE = SECOND / 10;

  private final long limit;

  /** Half the time between beats: what is written right after one look counts at the next only. */
  private final long interval;

  private long heardAt;
  private long beatAt;

  Heartbeat(Duration limit, long now) {
    this.limit = limit.toNanos();
    this.interval = Math.min(SECOND, this.limit / 4) / 2;
    this.heardAt = now;
    this.beatAt = now;
  }

  void heard(long now) {
    heardAt = now;
  }

  /**
   * Sends a beat if it is time for one, and gives a peer up that was silent for too long.
   *
   * @param late how much later this is done than it was to be
   * @return how long nothing needs to be done
   */
  long keep(PipedCorrespondent peer, long now, long late) {
    if (late > LATE) {
      heardAt = Math.min(now, heardAt + late);
    }
    long silent = now - heardAt;
    if (silent >= limit && peer.left() == null) {
      peer.lose(
          String.format(
              Locale.ROOT, "not heard of for %.1f s (stopped, or cut off)", silent / 1e9));
      return limit;
    }
    if (now - beatAt >= interval) {
      beatAt = now;
      peer.beat();
    }
    long untilJudged = peer.left() == null ? limit - silent : limit;
    return Math.max(1, Math.min(interval - (now - beatAt), untilJudged));
  }
}
