package dev.jcomms.jccl.internal.mail;

import dev.jcomms.BootstrapException;
import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Where the ranks of one communicator that live in one JVM find each other. Any thread.
 *
 * <p>Made by the first rank that comes under a key, forgotten when the last one leaves.
 */
final class LocalExchange {
  private record Pair(int src, int dst) {}

  /** A rank, as the others of its JVM reach it. */
  private record Member(Ear ear, WindowBook windows) {}

  private static final Map<String, LocalExchange> OPEN = new ConcurrentHashMap<>();

  private final String key;
  private final Set<Integer> ranks;
  private final CountDownLatch arrivals;
  private final Map<Integer, Member> members = new ConcurrentHashMap<>();
  private final Map<Integer, CommException> left = new ConcurrentHashMap<>();
  private final Map<Pair, Handover> handovers = new ConcurrentHashMap<>();

  private LocalExchange(String key, List<Integer> ranks) {
    this.key = key;
    this.ranks = Set.copyOf(ranks);
    this.arrivals = new CountDownLatch(ranks.size());
  }

  /**
   * Comes to the others, and waits until all have come.
   *
   * @param ranks those of this JVM, alike on all of them
   */
  static LocalExchange join(
      String key, int rank, List<Integer> ranks, Ear ear, WindowBook windows, Duration timeout) {
    LocalExchange exchange = OPEN.computeIfAbsent(key, _ -> new LocalExchange(key, ranks));
    exchange.members.put(rank, new Member(ear, windows));
    exchange.arrivals.countDown();
    boolean all = false;
    try {
      all = exchange.arrivals.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!all) {
      Set<Integer> missing = new TreeSet<>(ranks);
      missing.removeAll(exchange.members.keySet());
      exchange.leave(rank);
      throw new BootstrapException("jccl: ranks " + missing + " have not come", missing, null);
    }
    return exchange;
  }

  /** Where one rank's sends meet another's receives. */
  Handover between(int src, int dst) {
    return handovers.computeIfAbsent(
        new Pair(src, dst), pair -> new Handover(this, pair.src, pair.dst));
  }

  /** Tells a rank of another's part of a window. */
  void announce(int from, int to, WindowPart part, long description) {
    Member member = members.get(to);
    if (member != null) {
      member
          .windows
          .announced(
              part.number(),
              from,
              new WindowBook.Announcement(part.dtype(), part.elements(), description, part))
          .run();
    }
  }

  /** Why a rank takes part no more; null while it does. */
  CommException left(int rank) {
    return left.get(rank);
  }

  /** Tells the others of a failure. */
  void tell(int from, CommException failure) {
    members.forEach(
        (rank, member) -> {
          if (rank != from) {
            member.ear.told(
                News.heard(failure, rank, from), News.heard(failure, News.ANYBODY, from));
          }
        });
  }

  /** A rank has waited too long: what needs it fails, the rest goes on. */
  void giveUp(int rank, CommException reason) {
    if (left.putIfAbsent(rank, reason) == null) {
      members.forEach(
          (other, member) -> {
            if (other != rank) {
              member.ear.left(rank, reason);
            }
          });
    }
  }

  /** A rank closes the communicator. */
  void leave(int rank) {
    giveUp(
        rank, new PeerLostException(Set.of(rank), "rank " + rank + " has closed the communicator"));
    members.remove(rank);
    if (members.isEmpty()) {
      OPEN.remove(key, this);
    }
  }
}
