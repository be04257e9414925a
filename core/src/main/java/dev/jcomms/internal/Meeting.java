package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.CommException;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The members of a new communicator come together: each says how it makes it, and all must say the
 * same.
 *
 * <p>Whoever has come is compared while the others are waited for: a rank that was told another
 * size might wait for ranks that do not exist. And it is watched until it has opened: a rank that
 * has died would be waited for in vain.
 */
final class Meeting {
  private static final long SLICE_NANOS = 200_000_000;

  /** In the place of a member's process, when it has opened. */
  private static final String OPENED = "opened";

  private final Membership self;
  private final Store store;

  /** The same store, for requests between which others are looked at. */
  private final Store soon;

  private final String mine;
  private final Attendance attendance;

  /** Whether members are in several processes, as far as they have come. */
  private boolean processes;

  Meeting(Membership self) {
    this.self = self;
    this.store = self.coreStore();
    this.soon = self.coreStore(Attendance.PATIENCE);
    this.mine =
        "size="
            + self.size()
            + ", backends="
            + self.providers().entrySet().stream()
                .map(e -> e.getKey() + ":" + e.getValue().name())
                .sorted()
                .toList();
    this.attendance = new Attendance(self, r -> lines(soon.get(key(r)))[1].equals(OPENED));
  }

  /** Returns when all members have come and agree. */
  void hold() {
    if (self.size() == 1) {
      return;
    }
    say(Life.OWN.encode());
    List<String> keys = IntStream.range(0, self.size()).mapToObj(Meeting::key).toList();
    long deadline = System.nanoTime() + self.initTimeout().toNanos();
    while (true) {
      long left = deadline - System.nanoTime();
      Duration slice = Duration.ofNanos(Math.clamp(left, 1, SLICE_NANOS));
      try {
        List<byte[]> all = ask(() -> store.multiGet(keys, slice), deadline);
        for (int r = 0; r < self.size(); r++) {
          compare(r, all.get(r));
        }
        return;
      } catch (StoreTimeoutException e) {
        Set<Integer> missing = compare(deadline);
        look();
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

  /** What the store answers; others are looked at while it is silent. */
  private <T> T ask(Supplier<T> request, long deadline) {
    while (true) {
      try {
        return request.get();
      } catch (StoreTimeoutException e) {
        if (!Membership.isSilence(e) || System.nanoTime() - deadline >= 0) {
          throw e;
        }
        look();
      }
    }
  }

  /** What this member does with the others to open; given up when one of them is lost. */
  <T> T watch(Supplier<T> opening) {
    if (self.size() == 1) {
      return opening.get();
    }
    try (Watch watch = new Watch(self.name() + "-" + self.rank())) {
      return watch.during(opening, this::lookWhileOpening);
    }
  }

  /** Who opens may wait for another that has found the store gone, and tell nobody there. */
  private void lookWhileOpening() {
    try {
      attendance.check();
    } catch (StoreException e) {
      if (!(e instanceof StoreTimeoutException) && self.lodging().isStoreGone()) {
        throw explain(e) instanceof CommException lost
            ? lost
            : new BootstrapException(self.storeInWords() + " is gone", Set.of(), e);
      }
    } catch (IllegalStateException e) {
      // It is closed: who opens says so.
    }
  }

  private void look() {
    try {
      attendance.check();
    } catch (StoreException | IllegalStateException e) {
      // Who opens needs the store, too, and says it better.
    }
  }

  /** This member has opened: others that have not yet need it no more. */
  void end() {
    if (processes) {
      say(OPENED);
    }
  }

  /** What is behind a failure, as far as can be seen from here. */
  RuntimeException explain(RuntimeException failure) {
    return failure instanceof StoreException lost ? attendance.explain(lost) : failure;
  }

  /**
   * Tells the others that this member has failed to open, also of a refusal, which others may not
   * meet. Not that nobody came: who comes later is to find a new attempt.
   */
  void tell(Throwable failure) {
    CommException known =
        failure instanceof CommException comm
            ? comm
            : new BackendException(failure.toString(), failure);
    if (self.size() > 1 && (processes || !(known.getCause() instanceof StoreTimeoutException))) {
      attendance.tell(known);
    }
  }

  private void say(String life) {
    store.set(key(self.rank()), (mine + "\n" + life).getBytes(StandardCharsets.UTF_8));
  }

  /** Compares with those who have come, and returns who has not. */
  private Set<Integer> compare(long deadline) {
    Set<Integer> missing = new TreeSet<>();
    for (int r = 0; r < self.size(); r++) {
      String key = key(r);
      if (!ask(() -> soon.check(List.of(key)), deadline)) {
        missing.add(r);
        continue;
      }
      compare(r, ask(() -> soon.get(key), deadline));
    }
    return missing;
  }

  private void compare(int other, byte[] told) {
    String[] theirs = lines(told);
    if (!theirs[0].equals(mine)) {
      throw new BootstrapException(
          "ranks disagree: rank %d has %s, rank %d has %s"
              .formatted(self.rank(), mine, other, theirs[0]),
          Set.of(other),
          null);
    }
    if (theirs[1].equals(OPENED)) {
      processes = true;
    } else if (!theirs[1].equals(Life.OWN.encode())) {
      processes = true;
      attendance.came(other, Life.decode(theirs[1]));
    }
  }

  /** What a member has said of the communicator, and of itself. */
  private static String[] lines(byte[] told) {
    return (new String(told, StandardCharsets.UTF_8) + "\n").split("\n", 3);
  }

  private static String key(int rank) {
    return "init/" + rank;
  }
}
