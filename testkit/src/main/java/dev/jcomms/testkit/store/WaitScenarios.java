package dev.jcomms.testkit.store;

import static dev.jcomms.testkit.store.Clients.LONG;
import static dev.jcomms.testkit.store.Clients.SOON;
import static dev.jcomms.testkit.store.Clients.bytes;
import static dev.jcomms.testkit.store.Clients.equal;
import static dev.jcomms.testkit.store.Clients.finish;
import static dev.jcomms.testkit.store.Clients.that;
import static dev.jcomms.testkit.store.Clients.thrown;

import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Waiting: who is woken by what, and what ends a wait. */
final class WaitScenarios {
  private WaitScenarios() {}

  static Stream<StoreScenario> all() {
    return Stream.of(
        new StoreScenario("wait/a timeout names what is missing", WaitScenarios::timeout),
        new StoreScenario("wait/ends when the last key comes", WaitScenarios::lastKey),
        new StoreScenario("wait/every kind of write ends one", WaitScenarios::everyWrite),
        new StoreScenario("wait/a waiting call holds up no other", WaitScenarios::holdsUpNone),
        new StoreScenario("wait/two threads hand a ball back and forth", WaitScenarios::pingPong),
        new StoreScenario("wait/an interrupt ends one", WaitScenarios::interrupt),
        new StoreScenario("close/a closed store says so", WaitScenarios::closed),
        new StoreScenario("arguments/nulls and negative times are refused", WaitScenarios::nulls));
  }

  private static void timeout(Clients clients) {
    Store store = clients.open();
    store.set("there", bytes("1"));
    StoreTimeoutException e =
        thrown(
            "await of absent keys",
            StoreTimeoutException.class,
            () -> store.await(List.of("gone", "there", "lost"), SOON),
            "gone",
            "lost",
            "0.05 s");
    equal("the number of missing keys", 2, e.missing().size());
    that(e.missing().getFirst().endsWith("gone"), "missing is " + e.missing());
    that(e.missing().getLast().endsWith("lost"), "missing is " + e.missing());
    equal("timeout()", SOON, e.timeout());
    thrown(
        "get of an absent key", StoreTimeoutException.class, () -> store.get("gone", SOON), "gone");
    thrown(
        "get of an absent key without waiting",
        StoreTimeoutException.class,
        () -> store.get("gone", Duration.ZERO));
    thrown(
        "barrier of one among two",
        StoreTimeoutException.class,
        () -> store.barrier("barrier", 2, SOON),
        "barrier");
    equal("get(there) afterwards", "1", store.get("there"));
  }

  private static void lastKey(Clients clients) throws Exception {
    Store store = clients.open();
    Store other = clients.open();
    Future<?> waiter =
        clients.start(
            () -> {
              store.await(List.of("a", "b", "a"), LONG);
              return null;
            });
    Future<byte[]> getter = clients.start(() -> store.get("b", LONG));
    Future<List<byte[]>> many = clients.start(() -> store.multiGet(List.of("b", "a")));
    other.set("a", bytes("1"));
    other.add("b", 2);
    finish("await", waiter);
    equal("get(b)", "2", finish("get", getter));
    List<byte[]> got = finish("multiGet", many);
    equal("the first of multiGet(b, a)", "2", got.get(0));
    equal("the second of multiGet(b, a)", "1", got.get(1));
  }

  private static void everyWrite(Clients clients) throws Exception {
    Store store = clients.open();
    Store other = clients.open();
    List<String> keys = List.of("set", "add", "append", "compareSet", "multiSet");
    List<Future<byte[]>> waiters = new ArrayList<>();
    for (String key : keys) {
      waiters.add(clients.start(() -> store.get(key, LONG)));
    }
    other.set("set", bytes("1"));
    other.add("add", 1);
    other.append("append", bytes("1"));
    other.compareSet("compareSet", bytes(""), bytes("1"));
    other.multiSet(Map.of("multiSet", bytes("1")));
    for (int i = 0; i < keys.size(); i++) {
      String what = "get of a key made by " + keys.get(i);
      equal(what, "1", finish(what, waiters.get(i)));
    }
  }

  private static void holdsUpNone(Clients clients) throws Exception {
    Store store = clients.open();
    List<Future<byte[]>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String key = "late" + i;
      waiters.add(clients.start(() -> store.get(key, LONG)));
    }
    for (int i = 0; i < 100; i++) {
      equal("add while others wait", i + 1L, store.add("n", 1));
    }
    for (int i = 0; i < 5; i++) {
      store.set("late" + i, bytes("" + i));
      equal("get(late" + i + ")", "" + i, finish("get(late" + i + ")", waiters.get(i)));
    }
  }

  private static void pingPong(Clients clients) throws Exception {
    Store store = clients.open();
    Store other = clients.open();
    int rounds = 200;
    Future<?> player =
        clients.start(
            () -> {
              for (int i = 0; i < rounds; i++) {
                store.get("ping" + i, LONG);
                store.set("pong" + i, bytes("" + i));
              }
              return null;
            });
    for (int i = 0; i < rounds; i++) {
      other.set("ping" + i, bytes("" + i));
      equal("pong" + i, "" + i, other.get("pong" + i, LONG));
    }
    finish("the other player", player);
  }

  private static void interrupt(Clients clients) throws Exception {
    Store store = clients.open();
    for (Thread.Builder builder : List.of(Thread.ofVirtual(), Thread.ofPlatform().daemon())) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      AtomicReference<Boolean> flag = new AtomicReference<>();
      Thread waiter =
          builder.start(
              () -> {
                try {
                  store.get("never", LONG);
                } catch (Throwable e) {
                  thrown.set(e);
                }
                flag.set(Thread.currentThread().isInterrupted());
              });
      store.add("n", 1);
      waiter.interrupt();
      that(waiter.join(LONG), "an interrupted get has not ended");
      that(
          thrown.get() instanceof StoreException e && e.getCause() instanceof InterruptedException,
          "an interrupted get must fail with StoreException by InterruptedException; it failed with "
              + thrown.get());
      that(thrown.get().getMessage().contains("never"), "the error names no key: " + thrown.get());
      equal("the interrupt flag after an interrupted get", true, flag.get());
    }
    equal("add after interrupts", 3L, store.add("n", 1));
  }

  private static void closed(Clients clients) {
    Store store = clients.open();
    store.set("k", bytes("v"));
    store.close();
    store.close();
    thrown("get after close", IllegalStateException.class, () -> store.get("k"));
    thrown("set after close", IllegalStateException.class, () -> store.set("k", bytes("")));
    thrown("numKeys after close", IllegalStateException.class, store::numKeys);
  }

  private static void nulls(Clients clients) {
    Store store = clients.open();
    List<Runnable> calls =
        List.of(
            () -> store.set(null, bytes("")),
            () -> store.set("k", null),
            () -> store.get(null),
            () -> store.add(null, 1),
            () -> store.compareSet("k", null, bytes("")),
            () -> store.compareSet("k", bytes(""), null),
            () -> store.append("k", null));
    for (int i = 0; i < calls.size(); i++) {
      thrown("call " + i + " with null", NullPointerException.class, calls.get(i));
    }
    thrown(
        "get with a negative time",
        IllegalArgumentException.class,
        () -> store.get("k", Duration.ofSeconds(-1)));
    equal("listKeys() after refused calls", List.of(), store.listKeys());
  }
}
