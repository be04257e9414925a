package dev.jcomms.internal;

import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What the ranks of a communicator agree on through the store, outside the backend: who is in which
 * part of a split, and who came to a monitored barrier.
 *
 * <p>Every rank posts what it has, reads what all have, and decides by itself from the same facts:
 * so all decide alike.
 */
final class Agreement {
  /**
   * A part of a split.
   *
   * @param id the same for its members and unlike any other part's of this communicator
   * @param members ranks of the communicator that was split, by new rank
   */
  record Group(String id, List<Integer> members) {}

  private final Membership self;
  private final Store store;
  private long splits;
  private long barriers;

  Agreement(Membership self) {
    this.self = self;
    this.store = self.coreStore();
  }

  synchronized Optional<Group> split(List<Integer> mine) {
    long number = splits++;
    List<List<Integer>> lists =
        exchange(number, "list " + mine.toString().replaceAll("[\\[\\] ]", "")).stream()
            .map(Agreement::list)
            .toList();
    for (int r = 0; r < self.size(); r++) {
      validate(lists, r);
    }
    return group(number, mine);
  }

  synchronized Optional<Group> split(int color, int key) {
    if (color < -1) {
      throw new IllegalArgumentException(
          "split: color=" + color + " is negative; -1 stands for no part");
    }
    long number = splits++;
    List<String[]> all =
        exchange(number, "color " + color + " " + key).stream()
            .map(text -> text.split(" "))
            .toList();
    if (all.stream().anyMatch(words -> !words[0].equals("color"))) {
      throw mixed();
    }
    List<Integer> members =
        IntStream.range(0, self.size())
            .boxed()
            .filter(r -> color >= 0 && Integer.parseInt(all.get(r)[1]) == color)
            .sorted(java.util.Comparator.comparingInt(r -> Integer.parseInt(all.get(r)[2])))
            .toList();
    return group(number, members);
  }

  /**
   * Returns when all ranks have come; else all ranks that came, or come too late, get the same
   * verdict.
   */
  synchronized void monitoredBarrier(Duration timeout) {
    String key = "barrier/" + barriers++ + "/";
    store.set(key + self.rank(), new byte[] {1});
    List<String> all = IntStream.range(0, self.size()).mapToObj(r -> key + r).toList();
    String verdict;
    try {
      store.await(all, timeout);
      verdict = "all";
    } catch (StoreTimeoutException e) {
      List<String> absent =
          IntStream.range(0, self.size())
              .filter(r -> !store.check(List.of(key + r)))
              .mapToObj(Integer::toString)
              .toList();
      verdict = absent.isEmpty() ? "all" : String.join(",", absent);
    }
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
  }

  private List<String> exchange(long number, String mine) {
    String key = "split/" + number + "/";
    store.set(key + self.rank(), bytes(mine));
    List<String> keys = IntStream.range(0, self.size()).mapToObj(r -> key + r).toList();
    try {
      store.await(keys, self.initTimeout());
    } catch (StoreTimeoutException e) {
      Set<Integer> missing = new TreeSet<>();
      IntStream.range(0, self.size())
          .filter(r -> !store.check(List.of(keys.get(r))))
          .forEach(missing::add);
      throw new CommTimeoutException(self.initTimeout(), "waiting for ranks " + missing, missing)
          .at(new CommException.Site(self.name(), "split", -1, self.rank(), self.size()));
    }
    return store.multiGet(keys).stream().map(Agreement::text).toList();
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
        list.add(Integer.parseInt(number));
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
