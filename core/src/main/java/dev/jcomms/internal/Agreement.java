package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the ranks of a communicator agree on through the store, outside the backend: who is in which
 * part of a split, and who came to a monitored barrier. Both have their turn on the lane.
 *
 * <p>Every rank posts what it has, reads what all have, and decides by itself from the same facts:
 * so all decide alike. A rank that waits in one kind for a rank that has come to another learns
 * that from the store, and that it is in an operation instead from the backend.
 */
final class Agreement {
  /**
   * A part of a split.
   *
   * @param id the same for its members and unlike any other part's of this communicator
   * @param members ranks of the communicator that was split, by new rank
   */
  record Group(String id, List<Integer> members) {}

  /**
   * What ranks have said under a key.
   *
   * @param words by rank, if all have said something
   * @param absent the ranks that had said nothing by the deadline
   */
  private record Said(List<byte[]> words, Set<Integer> absent) {}

  private static final long SLICE_NANOS = 50_000_000;

  /** Ranks at a time that are looked for elsewhere: one will do. */
  private static final int MOST_ASKED = 4;

  /** How often to look for a lost rank when the store has failed, which may have been with it. */
  private static final int LAST_LOOKS = 100;

  private static final long LAST_PAUSE_NANOS = 10_000_000;

  private final Membership self;
  private final Store store;
  private final Consumer<String> healthCheck;
  private final Watch watch;
  private final Routes routes;
  private final Kind splits = new Kind("split", "split");
  private final Kind barriers = new Kind("monitored_barrier", "barrier");
  private final Kind windows = new Kind("window register", "window");

  /**
   * @param healthCheck throws when what is named must not go on waiting: after an abort, or a loss
   */
  Agreement(Membership self, Consumer<String> healthCheck, Watch watch, Routes routes) {
    this.self = self;
    this.store = self.coreStore();
    this.healthCheck = healthCheck;
    this.watch = watch;
    this.routes = routes;
  }

  /** What ranks meet for, and how often this one has: where they meet is numbered. */
  private static final class Kind {
    final String name;
    private final String folder;
    private long next;

    Kind(String name, String folder) {
      this.name = name;
      this.folder = folder;
    }

    /** The number of the one that this rank has come to now. */
    long come() {
      return next++;
    }

    /** Where a rank says that it has come to the one that this rank comes to next. */
    String next(int rank) {
      return key(next) + rank;
    }

    String key(long number) {
      return folder + "/" + number + "/";
    }
  }

  Optional<Group> split(List<Integer> mine) {
    long number = splits.come();
    List<List<Integer>> lists =
        exchange(number, "list " + mine.toString().replaceAll("[\\[\\] ]", "")).stream()
            .map(Agreement::list)
            .toList();
    for (int r = 0; r < self.size(); r++) {
      validate(lists, r);
    }
    return group(number, lists.get(self.rank()));
  }

  Optional<Group> split(int color, int key) {
    long number = splits.come();
    List<String[]> all =
        exchange(number, "color " + color + " " + key).stream()
            .map(text -> text.split(" "))
            .toList();
    for (int r = 0; r < self.size(); r++) {
      if (!all.get(r)[0].equals("color")) {
        throw mixed();
      }
      if (Integer.parseInt(all.get(r)[1]) < -1) {
        throw new IllegalArgumentException(
            "split: rank %d gave color=%s; -1 stands for no part".formatted(r, all.get(r)[1]));
      }
    }
    List<Integer> members =
        IntStream.range(0, self.size())
            .boxed()
            .filter(r -> color >= 0 && Integer.parseInt(all.get(r)[1]) == color)
            .sorted(Comparator.comparingInt(r -> Integer.parseInt(all.get(r)[2])))
            .toList();
    return group(number, members);
  }

  /**
   * Returns when all ranks have come; else all ranks that came, or come too late, get the same
   * verdict.
   */
  void monitoredBarrier(Duration timeout) {
    try {
      aside(
          barriers,
          () -> {
            meet(timeout);
            return null;
          });
    } catch (StoreException e) {
      throw failed("monitored_barrier", timeout, e);
    }
  }

  /**
   * Says that this rank registers a window, where ranks meet by themselves: for who waits elsewhere
   * for it.
   */
  void registers() {
    if (self.size() == 1) {
      return;
    }
    long number = windows.come();
    try {
      store.set(windows.key(number) + self.rank(), new byte[0]);
      if (number > 0) {
        store.delete(windows.key(number - 1) + self.rank());
      }
    } catch (StoreException | IllegalStateException e) {
      // Who waits elsewhere waits at the store, and learns that it has failed.
    }
  }

  private void meet(Duration timeout) {
    Store store = self.coreStore(timeout);
    long number = barriers.come();
    String key = barriers.key(number);
    Set<Integer> absent = post(store, barriers, key, "here", timeout).absent;
    String verdict =
        absent.isEmpty()
            ? "all"
            : absent.stream().map(String::valueOf).collect(Collectors.joining(","));
    // The first verdict holds for everybody: nobody passes a barrier that another gave up.
    String agreed = text(store.compareSet(key + "verdict", new byte[0], bytes(verdict)));
    if (!agreed.equals("all")) {
      Set<Integer> missing = new TreeSet<>(list("list " + agreed));
      throw new CommTimeoutException(
          timeout,
          missing.contains(self.rank())
              ? "this rank came after the others had given up"
              : missing.size() + " of " + self.size() + " ranks did not come: " + missing,
          missing);
    }
    // All have come here, so nobody looks at the barrier before this one any more.
    if (number > 0) {
      store.delete(barriers.key(number - 1) + self.rank());
      if (self.rank() == 0) {
        store.delete(barriers.key(number - 1) + "verdict");
      }
    }
  }

  private List<String> exchange(long number, String mine) {
    String key = splits.key(number);
    try {
      Said said = aside(splits, () -> post(store, splits, key, mine, self.initTimeout()));
      if (!said.absent.isEmpty()) {
        throw new CommTimeoutException(
            self.initTimeout(), "waiting for ranks " + said.absent, said.absent);
      }
      // All have come here, so nobody looks at the split before this one any more.
      if (number > 0) {
        store.delete(splits.key(number - 1) + self.rank());
      }
      return said.words.stream().map(Agreement::text).toList();
    } catch (CommException e) {
      throw e.comm() == null ? e.at(site("split")) : e;
    } catch (StoreException e) {
      throw failed("split", self.initTimeout(), e).at(site("split"));
    }
  }

  /**
   * Meets the others outside the backend. A store that is in a rank's process stops with it, and
   * who waits for its answer sees nothing: so another looks meanwhile.
   */
  private <T> T aside(Kind kind, Supplier<T> meeting) {
    return watch.during(
        () -> routes.aside(kind.name, meeting), () -> healthCheck.accept(kind.name));
  }

  /** What a failure of the store is: often, that the rank is lost whose process had it. */
  private CommException failed(String what, Duration timeout, StoreException e) {
    requireNoLoss(what, e);
    if (e.getCause() instanceof InterruptedException || Thread.currentThread().isInterrupted()) {
      return new CommAbortedException("the wait was interrupted", e);
    }
    if (e instanceof StoreTimeoutException late && Membership.isSilence(e)) {
      // Whoever has it may be well, and only the way to it be blocked.
      double seconds = late.timeout().toMillis() / 1e3;
      String how = self.storeInWords() + " does not answer: silent for " + seconds + " s";
      return late.timeout().compareTo(timeout) < 0
          ? new BackendException(how, e)
          : new CommTimeoutException(timeout, how, Set.of());
    }
    return self.lodging().isStoreGone()
        ? gone(e)
        : new BackendException("the store failed: " + e.getMessage(), e);
  }

  /**
   * That the store is gone. Members are not out of step by that: each that comes to where they meet
   * fails likewise, at once, as all do that wait there, and each has had its turn.
   */
  BootstrapException gone(Throwable cause) {
    String how =
        self.storeInWords()
            + " is gone: there are no more splits and monitored barriers without it";
    return new BootstrapException(how, Set.of(), cause);
  }

  /** Throws if the store has failed with a rank: a process that ends lets go of it first. */
  void requireNoLoss(String what, StoreException failure) {
    boolean interrupted = failure.getCause() instanceof InterruptedException;
    for (int look = 0; look < LAST_LOOKS && !interrupted; look++) {
      healthCheck.accept(what);
      LockSupport.parkNanos(LAST_PAUSE_NANOS);
      interrupted = Thread.currentThread().isInterrupted();
    }
  }

  /**
   * Says something under a key and waits for what the other ranks say there: in slices, so that it
   * is noticed when they will not.
   */
  private Said post(Store store, Kind kind, String key, String mine, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    store.set(key + self.rank(), bytes(mine));
    for (int slices = 1; ; slices++) {
      long left = deadline - System.nanoTime();
      try {
        Duration slice = Duration.ofNanos(Math.clamp(left, 1, SLICE_NANOS));
        return new Said(store.multiGet(keys(key), slice), Set.of());
      } catch (StoreTimeoutException e) {
        requirePresent(store, key);
        if (Integer.bitCount(slices) == 1) {
          requireNowhereElse(store, kind, key, e.missing());
        }
        if (left <= SLICE_NANOS) {
          return new Said(List.of(), absent(store, key));
        }
      }
    }
  }

  /** Gives up on ranks that have closed the communicator and had not said anything before. */
  private void requirePresent(Store store, String key) {
    Set<Integer> gone = new TreeSet<>(routes.departed());
    gone.removeIf(r -> store.check(List.of(key + r)));
    if (!gone.isEmpty()) {
      throw new PeerLostException(gone, "ranks " + gone + " have closed the communicator");
    }
  }

  /** Fails if a rank that is waited for waits elsewhere, where this one has not come. */
  private void requireNowhereElse(Store store, Kind kind, String key, List<String> missing) {
    for (String absent : missing.subList(0, Math.min(MOST_ASKED, missing.size()))) {
      int peer = Integer.parseInt(absent.substring(absent.lastIndexOf('/') + 1));
      for (Kind other : List.of(splits, barriers, windows)) {
        // In this order: one that has come here meanwhile may have gone on.
        if (other != kind
            && store.check(List.of(other.next(peer)))
            && !store.check(List.of(key + peer))) {
          throw new CommMismatchException(
              "rank %d has %s, rank %d has %s".formatted(self.rank(), kind.name, peer, other.name),
              Set.of(peer));
        }
      }
    }
  }

  private Set<Integer> absent(Store store, String key) {
    Set<Integer> absent = new TreeSet<>();
    for (int r = 0; r < self.size(); r++) {
      if (!store.check(List.of(key + r))) {
        absent.add(r);
      }
    }
    return absent;
  }

  private List<String> keys(String key) {
    return IntStream.range(0, self.size()).mapToObj(r -> key + r).toList();
  }

  private CommException.Site site(String what) {
    return new CommException.Site(self.name(), what, -1, self.rank(), self.size());
  }

  private void validate(List<List<Integer>> lists, int rank) {
    List<Integer> list = lists.get(rank);
    String who = "split: rank " + rank + " gave " + list;
    for (int member : list) {
      if (member < 0 || member >= self.size()) {
        throw new IllegalArgumentException(
            who
                + "; "
                + member
                + " is not a rank of comm '"
                + self.name()
                + "' (size "
                + self.size()
                + ")");
      }
    }
    if (new HashSet<>(list).size() < list.size()) {
      throw new IllegalArgumentException(who + ", which has a rank twice");
    }
    if (!list.isEmpty() && !list.contains(rank)) {
      throw new IllegalArgumentException(who + ", which lacks that rank");
    }
    for (int member : list) {
      if (!lists.get(member).equals(list)) {
        throw new IllegalArgumentException(who + ", rank " + member + " gave " + lists.get(member));
      }
    }
  }

  private static Optional<Group> group(long number, List<Integer> members) {
    return members.isEmpty()
        ? Optional.empty()
        : Optional.of(new Group(number + "." + members.getFirst(), members));
  }

  private static List<Integer> list(String text) {
    if (!text.startsWith("list ")) {
      throw mixed();
    }
    List<Integer> list = new ArrayList<>();
    for (String number : text.substring(5).split(",")) {
      if (!number.isEmpty()) {
        // What is no number, a null say, is no rank either.
        list.add(number.matches("-?\\d{1,9}") ? Integer.parseInt(number) : -1);
      }
    }
    return list;
  }

  private static IllegalArgumentException mixed() {
    return new IllegalArgumentException("split: some ranks gave a list, others a color");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
