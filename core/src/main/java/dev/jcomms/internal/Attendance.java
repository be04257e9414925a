package dev.jcomms.internal;

import dev.jcomms.BootstrapException;
import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.Setting;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Whether those who have come to make a communicator are still there, for those who wait for them.
 *
 * <p>Of a process on this host the kernel is asked, whether it has ended or was stopped. Others
 * show that they live by a count in the store, which rises while they wait: each member looks at
 * that of one other, which is enough for each host to be looked at. Who has the store shows it by
 * answers. Who finds one lost, or cannot go on, leaves word in the store, where all look. Of one
 * thread at a time.
 */
final class Attendance {
  /** So long a member waits before it looks into the store, and between two looks. */
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  /** How long the store may take to answer: who looks has to look elsewhere, too. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final int LAST_LOOKS = 100;
  private static final long LAST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

  private static final String TROUBLE = "trouble";
  private static final String LOST = "lost";

  private final Membership self;
  private final Store store;
  private final IntPredicate hasOpened;

  /** Where each is of whom others wait to hear more; null of others. */
  private final Life[] lives;

  /** How each has been seen stopped; null of others. */
  private final Stop[] stops;

  private long nextNanos = System.nanoTime() + PAUSE_NANOS;
  private int ward = -1;
  private long heard;
  private int silent;
  private int unanswered;

  /**
   * A process was found stopped.
   *
   * @param number of the stop, as its {@link Life} tells them apart
   */
  private record Stop(long number, long sinceNanos) {}

  /**
   * @param hasOpened asks the store whether a member has opened, and may end
   */
  Attendance(Membership self, IntPredicate hasOpened) {
    this.self = self;
    this.store = self.coreStore(PATIENCE);
    this.hasOpened = hasOpened;
    this.lives = new Life[self.size()];
    this.stops = new Stop[self.size()];
  }

  /** A member of another process has come. */
  void came(int rank, Life life) {
    lives[rank] = life;
  }

  /** Whether any of them has not opened yet, as far as is known here. */
  private boolean isAnybody() {
    return Arrays.stream(lives).anyMatch(life -> life != null);
  }

  /**
   * Looks around; now and then, in the store as well.
   *
   * @throws CommException if a member that has come is lost, or one cannot go on
   */
  void check() {
    for (int r = 0; r < lives.length; r++) {
      if (lives[r] != null && lives[r].hasEnded()) {
        lost(r, ended(lives[r]));
      }
    }
    if (System.nanoTime() - nextNanos >= 0) {
      nextNanos = System.nanoTime() + PAUSE_NANOS;
      lookForStops();
      try {
        requireNoTrouble();
        unanswered = 0;
      } catch (StoreException e) {
        requireStoreHost(e);
        throw e;
      }
      if (Arrays.stream(lives).anyMatch(life -> life != null && !life.isHere())) {
        store.add(beats(self.rank()), 1);
        listen();
      }
    }
  }

  /** Who is stopped for longer than ranks may be silent is lost. */
  private void lookForStops() {
    long now = System.nanoTime();
    for (int r = 0; r < lives.length; r++) {
      long number = lives[r] == null ? -1 : lives[r].stop();
      if (number < 0) {
        stops[r] = null;
      } else if (stops[r] == null || stops[r].number != number) {
        stops[r] = new Stop(number, now);
      } else if (now - stops[r].sinceNanos >= limit().toNanos()) {
        String how = "its process %d has been stopped for %d s";
        long seconds = Duration.ofNanos(now - stops[r].sinceNanos).toSeconds();
        lost(r, how.formatted(lives[r].pid(), seconds));
      }
    }
  }

  /** A rank elsewhere whose store does not answer is as silent as one that does not count. */
  private void requireStoreHost(StoreException failure) {
    unanswered = Membership.isSilence(failure) ? unanswered + 1 : 0;
    int host = self.storeHost();
    if (host < 0 || lives[host] == null || lives[host].isHere()) {
      return;
    }
    if (unanswered >= looks(PATIENCE.toNanos())) {
      long seconds = PATIENCE.multipliedBy(unanswered).toSeconds();
      throw lostFor(host, "its store has been silent for " + seconds + " s", failure);
    }
  }

  private static String ended(Life life) {
    return "its process " + life.pid() + " has ended";
  }

  /** Looks whether the next of those who are elsewhere has counted on. */
  private void listen() {
    int next = self.rank();
    do {
      next = (next + 1) % lives.length;
    } while (lives[next] == null || lives[next].isHere());
    long beats = store.add(beats(next), 0);
    silent = next == ward && beats == heard ? silent + 1 : 0;
    ward = next;
    heard = beats;
    if (silent >= looks(PAUSE_NANOS)) {
      lost(next, "it has been silent for " + silent + " s");
    }
  }

  /**
   * Who was silent at so many looks in a row is lost. Never at one alone: this process may have
   * been stopped itself.
   */
  private long looks(long nanosEach) {
    return Math.max(2, Math.ceilDiv(limit().toNanos(), nanosEach));
  }

  private Duration limit() {
    return Setting.HEARTBEAT_SECONDS.secondsIn(self.environment());
  }

  /** One is gone that has not opened; who has, may go, and who could not, has said why. */
  private void lost(int rank, String how) {
    try {
      requireNoTrouble();
      if (hasOpened.test(rank)) {
        lives[rank] = null;
        return;
      }
    } catch (StoreException e) {
      throw lostFor(rank, how, e); // the store may have been with it
    }
    throw lostFor(rank, how, null);
  }

  private static PeerLostException lostFor(int rank, String how, StoreException cause) {
    return new PeerLostException(Set.of(rank), "rank " + rank + " is lost: " + how, cause);
  }

  /** The store has failed: with the member whose process had it, if one has just ended here. */
  RuntimeException explain(StoreException failure) {
    boolean interrupted = failure.getCause() instanceof InterruptedException;
    for (int look = 0; look < LAST_LOOKS && isAnybody() && !interrupted; look++) {
      for (int r = 0; r < lives.length; r++) {
        if (lives[r] != null && lives[r].hasEnded()) {
          return lostFor(r, ended(lives[r]), failure);
        }
      }
      // A process that ends lets go of its connections first.
      LockSupport.parkNanos(LAST_PAUSE_NANOS);
      interrupted = Thread.currentThread().isInterrupted();
    }
    return failure;
  }

  /** Leaves word of what has ended this member's part, unless somebody has done so before. */
  void tell(CommException failure) {
    if (Membership.isSilence(failure.getCause())) {
      return; // it would not hear it
    }
    // A store that takes this word has only failed this member.
    boolean alone = isOfStore(failure) || failure.missingRanks().isEmpty();
    String ranks =
        (alone ? Set.of(self.rank()) : failure.missingRanks())
            .stream().map(String::valueOf).collect(Collectors.joining(","));
    String word =
        failure instanceof PeerLostException
            ? LOST + " " + ranks + " " + failure.detail()
            : "failed %s rank %d has given up: %s".formatted(ranks, self.rank(), failure.detail());
    try {
      self.coreStore(Membership.SILENCE)
          .compareSet(TROUBLE, new byte[0], word.getBytes(StandardCharsets.UTF_8));
    } catch (StoreException | IllegalStateException e) {
      failure.addSuppressed(e); // nobody else learns it there either
    }
  }

  /** Whether it is that the store failed, not that it was waited for in vain. */
  private static boolean isOfStore(CommException failure) {
    return failure instanceof BootstrapException
        && failure.getCause() instanceof StoreException
        && !(failure.getCause() instanceof StoreTimeoutException);
  }

  private void requireNoTrouble() {
    if (!store.check(List.of(TROUBLE))) {
      return;
    }
    String[] word = new String(store.get(TROUBLE), StandardCharsets.UTF_8).split(" ", 3);
    Set<Integer> ranks =
        Arrays.stream(word[1].split(","))
            .map(Integer::valueOf)
            .collect(Collectors.toCollection(TreeSet::new));
    throw word[0].equals(LOST)
        ? new PeerLostException(ranks, word[2])
        : new BootstrapException(word[2], ranks, null);
  }

  private static String beats(int rank) {
    return "beats/" + rank;
  }
}
