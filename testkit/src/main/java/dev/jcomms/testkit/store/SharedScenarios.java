package dev.jcomms.testkit.store;

import static dev.jcomms.testkit.store.Clients.LONG;
import static dev.jcomms.testkit.store.Clients.SOON;
import static dev.jcomms.testkit.store.Clients.bytes;
import static dev.jcomms.testkit.store.Clients.equal;
import static dev.jcomms.testkit.store.Clients.finish;
import static dev.jcomms.testkit.store.Clients.text;
import static dev.jcomms.testkit.store.Clients.that;
import static dev.jcomms.testkit.store.Clients.thrown;

import dev.jcomms.store.Store;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.store.StoreScenario.Queues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Many clients at once: atomic counters, barriers, queues. */
final class SharedScenarios {
  private static final int CLIENTS = 8;

  private SharedScenarios() {}

  static Stream<StoreScenario> all() {
    return Stream.of(
        new StoreScenario("add/is atomic among clients", SharedScenarios::add),
        new StoreScenario("compare_set/is atomic among clients", SharedScenarios::compareSet),
        new StoreScenario("barrier/holds until all have come", SharedScenarios::barrier),
        new StoreScenario(
            "barrier/of one is no barrier",
            clients -> clients.open().barrier("b", 1, Duration.ZERO)),
        new StoreScenario("queues/are first in, first out", Queues.WITH, SharedScenarios::fifo),
        new StoreScenario("queues/are apart from keys", Queues.WITH, SharedScenarios::apart),
        new StoreScenario(
            "queues/each push goes to one of those who wait", Queues.WITH, SharedScenarios::takers),
        new StoreScenario(
            "queues/are refused where there are none", Queues.WITHOUT, SharedScenarios::refused));
  }

  private static void add(Clients clients) throws Exception {
    int each = 200;
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    clients.together(
        "add",
        CLIENTS,
        (store, me) -> {
          for (int i = 0; i < each; i++) {
            long number = store.add("n", 1);
            that(seen.add(number), "client " + me + " got " + number + ", as another did");
          }
        });
    equal("the sum of all adds", (long) CLIENTS * each, clients.open().add("n", 0));
  }

  private static void compareSet(Clients clients) throws Exception {
    int each = 25;
    clients.open().set("k", bytes("0"));
    Set<Integer> wins = ConcurrentHashMap.newKeySet();
    clients.together(
        "compareSet",
        CLIENTS,
        (store, me) -> {
          int won = 0;
          while (won < each) {
            String present = text(store.get("k", LONG));
            int next = Integer.parseInt(present.split(" ")[0]) + 1;
            String mine = next + " of " + me;
            if (text(store.compareSet("k", bytes(present), bytes(mine))).equals(mine)) {
              that(wins.add(next), "client " + me + " set " + next + ", as another did");
              won++;
            }
          }
        });
    String last = text(clients.open().get("k"));
    that(last.startsWith(CLIENTS * each + " of "), "the last value is '" + last + "'");
  }

  private static void barrier(Clients clients) throws Exception {
    AtomicInteger arrived = new AtomicInteger();
    clients.together(
        "barrier",
        CLIENTS,
        (store, me) -> {
          arrived.incrementAndGet();
          store.barrier("b", CLIENTS, LONG);
          equal("those who had come when client " + me + " left", CLIENTS, arrived.get());
        });
  }

  private static void fifo(Clients clients) {
    Store store = clients.open();
    store.queuePush("q", bytes("1"));
    store.queuePush("q", bytes(""));
    store.queuePush("q", bytes("3"));
    equal("queueLength(q)", 3L, store.queueLength("q"));
    equal("the first", "1", store.queuePop("q", LONG));
    equal(
        "the second",
        "",
        store.queuePoll("q").orElseThrow(() -> new ConformanceError("queuePoll is empty")));
    equal("the third", "3", store.queuePop("q", Duration.ZERO));
    equal("queuePoll of an empty queue", Optional.empty(), store.queuePoll("q"));
    equal("queueLength of an empty queue", 0L, store.queueLength("q"));
    thrown(
        "queuePop of an empty queue",
        StoreTimeoutException.class,
        () -> store.queuePop("q", SOON),
        "q");
  }

  private static void apart(Clients clients) {
    Store store = clients.open();
    long before = store.numKeys();
    store.queuePush("k", bytes("q"));
    equal("numKeys() with a queue", before, store.numKeys());
    equal("delete of a queue", false, store.delete("k"));
    store.set("k", bytes("v"));
    equal("get of a key that is a queue's name too", "v", store.get("k"));
    equal("queuePop of a queue that is a key's name too", "q", store.queuePop("k", LONG));
    thrown("queuePop of a key", StoreTimeoutException.class, () -> store.queuePop("k", SOON));
  }

  private static void takers(Clients clients) throws Exception {
    Store store = clients.open();
    int each = 50;
    List<Future<List<String>>> takers = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Store own = clients.open();
      takers.add(
          clients.start(
              () -> {
                List<String> taken = new ArrayList<>();
                while (taken.size() < each) {
                  taken.add(text(own.queuePop("q", LONG)));
                }
                return taken;
              }));
    }
    for (int i = 0; i < CLIENTS * each; i++) {
      store.queuePush("q", bytes("" + i));
    }
    Set<String> all = new HashSet<>();
    for (Future<List<String>> taker : takers) {
      all.addAll(finish("queuePop", taker));
    }
    equal("different values taken", CLIENTS * each, all.size());
    equal("queueLength afterwards", 0L, store.queueLength("q"));
  }

  private static void refused(Clients clients) {
    Store store = clients.open();
    thrown(
        "queuePush without queues",
        UnsupportedOperationException.class,
        () -> store.queuePush("q", bytes("1")),
        "queues");
    thrown(
        "queuePop without queues",
        UnsupportedOperationException.class,
        () -> store.queuePop("q", SOON));
  }
}
