package dev.jcomms.internal;

import dev.jcomms.BootstrapException;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The members of a new communicator come together: each says how it makes it, and all must say the
 * same.
 *
 * <p>Whoever has come is compared while the others are waited for: a rank that was told another
 * size might wait for ranks that do not exist.
 */
final class Meeting {
  private static final long SLICE_NANOS = 200_000_000;

  private final Membership self;
  private final Store store;
  private final String mine;

  private Meeting(Membership self) {
    this.self = self;
    this.store = self.coreStore();
    this.mine =
        "size="
            + self.size()
            + ", backends="
            + self.providers().entrySet().stream()
                .map(e -> e.getKey() + ":" + e.getValue().name())
                .sorted()
                .toList();
  }

  /** Returns when all members have come and agree. */
  static void hold(Membership self) {
    if (self.size() > 1) {
      new Meeting(self).hold();
    }
  }

  private void hold() {
    store.set(key(self.rank()), mine.getBytes(StandardCharsets.UTF_8));
    List<String> keys = IntStream.range(0, self.size()).mapToObj(Meeting::key).toList();
    long deadline = System.nanoTime() + self.initTimeout().toNanos();
    while (true) {
      long left = deadline - System.nanoTime();
      try {
        store.await(keys, Duration.ofNanos(Math.clamp(left, 1, SLICE_NANOS)));
        List<byte[]> all = store.multiGet(keys);
        for (int r = 0; r < self.size(); r++) {
          compare(r, all.get(r));
        }
        return;
      } catch (StoreTimeoutException e) {
        Set<Integer> missing = compare();
        if (left <= SLICE_NANOS && !missing.isEmpty()) {
          throw new BootstrapException(
              "ranks %s did not come within %s s"
                  .formatted(missing, self.initTimeout().toMillis() / 1e3),
              missing,
              e);
        }
      }
    }
  }

  /** Compares with those who have come, and returns who has not. */
  private Set<Integer> compare() {
    Set<Integer> missing = new TreeSet<>();
    for (int r = 0; r < self.size(); r++) {
      if (!store.check(List.of(key(r)))) {
        missing.add(r);
        continue;
      }
      compare(r, store.get(key(r)));
    }
    return missing;
  }

  private void compare(int other, byte[] told) {
    String theirs = new String(told, StandardCharsets.UTF_8);
    if (!theirs.equals(mine)) {
      throw new BootstrapException(
          "ranks disagree: rank %d has %s, rank %d has %s"
              .formatted(self.rank(), mine, other, theirs),
          Set.of(other),
          null);
    }
  }

  private static String key(int rank) {
    return "init/" + rank;
  }
}
