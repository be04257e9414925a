package dev.jcomms.testkit;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Where the ranks of a {@link DirectBackend} sit together: each lays something down, and takes what
 * the others have laid. All ranks are threads of this JVM.
 */
final class Table {
  private static final Map<String, Table> TABLES = new ConcurrentHashMap<>();

  private final int size;
  private final Map<Long, Object[]> rounds = new HashMap<>();
  private final Map<Long, Set<Integer>> takers = new HashMap<>();
  private final List<Object> letters = new ArrayList<>();

  private Table(int size) {
    this.size = size;
  }

  static Table named(String name, int size) {
    return TABLES.computeIfAbsent(name, _ -> new Table(size));
  }

  /** What all ranks have laid down in a round, by rank, once all have. */
  synchronized Object[] exchange(long round, int rank, Object mine, Duration timeout) {
    Object[] laid = rounds.computeIfAbsent(round, _ -> new Object[size]);
    laid[rank] = mine;
    notifyAll();
    await(timeout, () -> missing(laid).isEmpty(), () -> missing(laid));
    if (takers.computeIfAbsent(round, _ -> new HashSet<>()).add(rank)
        && takers.get(round).size() == size) {
      takers.remove(round);
      rounds.remove(round);
    }
    return laid;
  }

  private static Set<Integer> missing(Object[] laid) {
    Set<Integer> missing = new HashSet<>();
    for (int r = 0; r < laid.length; r++) {
      if (laid[r] == null) {
        missing.add(r);
      }
    }
    return missing;
  }

  /** Lays down a letter, for whoever looks for it. */
  synchronized void post(Object letter) {
    letters.add(letter);
    notifyAll();
  }

  /** Returns when a letter was taken. */
  synchronized void awaitTaken(Object letter, int peer, Duration timeout) {
    await(timeout, () -> !letters.contains(letter), () -> Set.of(peer));
  }

  /** The first letter that fits, still on the table until {@link #take}. */
  synchronized <T> T find(Class<T> type, Predicate<T> fits, int peer, Duration timeout) {
    await(timeout, () -> first(type, fits) != null, () -> Set.of(peer));
    return first(type, fits);
  }

  synchronized void take(Object letter) {
    letters.remove(letter);
    notifyAll();
  }

  private <T> T first(Class<T> type, Predicate<T> fits) {
    return letters.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .filter(fits)
        .findFirst()
        .orElse(null);
  }

  private interface Condition {
    boolean holds();
  }

  private interface Missing {
    Set<Integer> ranks();
  }

  private void await(Duration timeout, Condition condition, Missing missing) {
    long end = System.nanoTime() + timeout.toNanos();
    while (!condition.holds()) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new CommTimeoutException(timeout, "at the table", missing.ranks());
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        throw new CommAbortedException("interrupted at the table", e);
      }
    }
  }
}
