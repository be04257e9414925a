package dev.jcomms.testkit.store;

import static dev.jcomms.testkit.store.Clients.bytes;
import static dev.jcomms.testkit.store.Clients.equal;
import static dev.jcomms.testkit.store.Clients.pattern;
import static dev.jcomms.testkit.store.Clients.that;
import static dev.jcomms.testkit.store.Clients.thrown;

import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Keys, values and counters. */
final class ValueScenarios {
  private ValueScenarios() {}

  static Stream<StoreScenario> all() {
    return Stream.of(
        new StoreScenario("values/what is set is got", ValueScenarios::setGet),
        new StoreScenario("values/of any length come back whole", ValueScenarios::lengths),
        new StoreScenario("values/are copies", ValueScenarios::copies),
        new StoreScenario("values/append grows one", ValueScenarios::append),
        new StoreScenario("values/many in one exchange", ValueScenarios::many),
        new StoreScenario("keys/are any text", ValueScenarios::keys),
        new StoreScenario("keys/are counted and listed", ValueScenarios::counted),
        new StoreScenario("keys/delete says whether one was there", ValueScenarios::delete),
        new StoreScenario("keys/many are deleted at once", ValueScenarios::deleteMany),
        new StoreScenario("keys/check is true when all are there", ValueScenarios::check),
        new StoreScenario("add/counts from zero", ValueScenarios::add),
        new StoreScenario("add/reads the number a value begins with", ValueScenarios::addPrefix),
        new StoreScenario("add/wraps around", ValueScenarios::addWraps),
        new StoreScenario(
            "add/to what is no number fails, and the store lives on", ValueScenarios::addWrong),
        new StoreScenario("compare_set/sets what is expected", ValueScenarios::compareSet));
  }

  private static void setGet(Clients clients) {
    Store store = clients.open();
    store.set("k", bytes("one"));
    equal("get(k)", "one", store.get("k"));
    store.set("k", bytes("two"));
    equal("get(k) after a second set", "two", store.get("k", Duration.ZERO));
    equal("get(k) of another client", "two", clients.open().get("k"));
  }

  private static void lengths(Clients clients) {
    Store store = clients.open();
    Store other = clients.open();
    int[] lengths = {0, 1, 255, 256, 257, 4096, 65535, 65536, 65537, 1 << 20, 8 << 20};
    for (int length : lengths) {
      store.set("k", pattern(length));
      equal("a value of " + length + " bytes", pattern(length), store.get("k"));
      equal("a value of " + length + " bytes at another client", pattern(length), other.get("k"));
    }
  }

  private static void copies(Clients clients) {
    Store store = clients.open();
    byte[] value = bytes("abc");
    store.set("k", value);
    value[0] = 'x';
    store.get("k")[1] = 'x';
    equal("a value whose copies were changed", "abc", store.get("k"));
  }

  private static void append(Clients clients) {
    Store store = clients.open();
    store.append("k", bytes("ab"));
    store.append("k", bytes(""));
    store.append("k", bytes("c"));
    equal("get(k) after three appends", "abc", store.get("k"));
  }

  private static void many(Clients clients) {
    Store store = clients.open();
    for (int count : new int[] {0, 1, 2, 1000}) {
      Map<String, byte[]> values = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        values.put("key" + i, pattern(i));
      }
      store.multiSet(values);
      List<byte[]> got = store.multiGet(List.copyOf(values.keySet()));
      equal("the number of values got", count, got.size());
      for (int i = 0; i < count; i++) {
        equal("value " + i + " of " + count, pattern(i), got.get(i));
      }
      store.await(List.copyOf(values.keySet()), Duration.ZERO);
    }
  }

  private static void keys(Clients clients) {
    Store store = clients.open();
    for (String key :
        List.of("", "/", "a/b//c", " ", "schlüssel", "键", "🔑", "-", "refcount/", "\0\n")) {
      String name = "key '" + key + "'";
      store.set(key, bytes("v"));
      store.set(key + "x", bytes("w"));
      equal(name, "v", store.get(key));
      equal("listKeys() with " + name, sorted(key, key + "x"), sorted(store.listKeys()));
      that(store.delete(key), "delete of " + name + " is false");
      equal("listKeys() without " + name, List.of(key + "x"), store.listKeys());
      store.delete(key + "x");
    }
  }

  private static List<String> sorted(String... keys) {
    return sorted(List.of(keys));
  }

  private static List<String> sorted(List<String> keys) {
    List<String> sorted = new ArrayList<>(keys);
    sorted.sort(null);
    return sorted;
  }

  private static void counted(Clients clients) {
    Store store = clients.open();
    long before = store.numKeys();
    store.set("a", bytes("1"));
    store.add("b", 1);
    store.set("a", bytes("2"));
    equal("numKeys() after two keys", before + 2, store.numKeys());
    equal("listKeys()", sorted("a", "b"), sorted(store.listKeys()));
    store.delete("a");
    equal("numKeys() after a delete", before + 1, store.numKeys());
  }

  private static void delete(Clients clients) {
    Store store = clients.open();
    store.set("a", bytes("1"));
    equal("delete(a)", true, store.delete("a"));
    equal("delete(a) again", false, store.delete("a"));
    equal("check(a) after delete", false, store.check(List.of("a")));
    equal("add(a, 1) after delete", 1L, store.add("a", 1));
  }

  private static void deleteMany(Clients clients) {
    Store store = clients.open();
    List<String> keys = IntStream.range(0, 600).mapToObj(i -> "key" + i).toList();
    for (int i = 0; i < keys.size(); i += 2) {
      store.set(keys.get(i), bytes("1"));
    }
    store.set("other", bytes("2"));
    store.multiDelete(keys);
    equal("listKeys() after multiDelete of all but one", List.of("other"), store.listKeys());
    equal("get(other) after multiDelete", "2", store.get("other"));
  }

  private static void check(Clients clients) {
    Store store = clients.open();
    store.set("a", bytes(""));
    equal("check()", true, store.check(List.of()));
    equal("check(a)", true, store.check(List.of("a")));
    equal("check(a, b) without b", false, store.check(List.of("a", "b")));
    store.set("b", bytes(""));
    equal("check(a, b, a)", true, store.check(List.of("a", "b", "a")));
  }

  private static void add(Clients clients) {
    Store store = clients.open();
    equal("add(n, 5)", 5L, store.add("n", 5));
    equal("add(n, -7)", -2L, store.add("n", -7));
    equal("add(n, 0)", -2L, store.add("n", 0));
    equal("get(n)", "-2", store.get("n"));
  }

  private static void addPrefix(Clients clients) {
    Store store = clients.open();
    store.set("n", bytes(" +41 things"));
    equal("add to ' +41 things'", 42L, store.add("n", 1));
  }

  private static void addWraps(Clients clients) {
    Store store = clients.open();
    store.set("n", bytes(Long.toString(Long.MAX_VALUE)));
    equal("add to the largest number", Long.MIN_VALUE, store.add("n", 1));
  }

  private static void addWrong(Clients clients) {
    Store store = clients.open();
    for (String value : List.of("x", "-", " ", "9223372036854775808")) {
      store.set("n", bytes(value));
      thrown("add to '" + value + "'", StoreException.class, () -> store.add("n", 1), "add", "n");
      equal("get(n) after a failed add", value, store.get("n"));
    }
  }

  private static void compareSet(Clients clients) {
    Store store = clients.open();
    equal(
        "compareSet of an absent key", "some", store.compareSet("k", bytes("some"), bytes("new")));
    equal("check(k) after it", false, store.check(List.of("k")));
    equal("compareSet from nothing", "a", store.compareSet("k", bytes(""), bytes("a")));
    equal("compareSet from what it is not", "a", store.compareSet("k", bytes(""), bytes("b")));
    equal("compareSet from what it is", "b", store.compareSet("k", bytes("a"), bytes("b")));
    equal("get(k)", "b", store.get("k"));
  }
}
