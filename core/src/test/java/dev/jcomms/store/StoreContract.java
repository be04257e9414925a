package dev.jcomms.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store does. A subclass opens clients of one content, new for each test. */
@Timeout(60)
abstract class StoreContract {
  private static final Duration SOON = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int CLIENTS = 8;

  private final List<Store> opened = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Opens one more client of the test's content. */
  abstract Store open();

  /** Whether queues are refused. */
  boolean hasQueues() {
    return true;
  }

  final Store client() {
    Store store = open();
    opened.add(store);
    return store;
  }

  @AfterEach
  final void closeClients() {
    opened.forEach(Store::close);
    threads.shutdownNow();
  }

  @Test
  void whatIsSetIsGot() {
    Store store = client();
    store.set("k", bytes("one"));
    assertThat(store.get("k")).isEqualTo(bytes("one"));
    store.set("k", bytes("two"));
    assertThat(store.get("k", Duration.ZERO)).isEqualTo(bytes("two"));
    assertThat(client().get("k")).isEqualTo(bytes("two"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 257, 4096, 65535, 65536, 65537, 1 << 20, 8 << 20})
  void valuesOfAnyLengthComeBackWhole(int length) {
    Store store = client();
    byte[] value = pattern(length);
    store.set("k", value);
    assertThat(store.get("k").equals(value)).isFalse();
    assertThat(java.util.Arrays.equals(store.get("k"), value)).isTrue();
    assertThat(java.util.Arrays.equals(client().get("k"), value)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "a/b//c", " ", "schlüssel", "键", "🔑", "-", "refcount/", "\0\n"})
  void keysAreAnyText(String key) {
    Store store = client();
    store.set(key, bytes("v"));
    store.set(key + "x", bytes("w"));
    assertThat(store.get(key)).isEqualTo(bytes("v"));
    assertThat(store.listKeys()).containsExactlyInAnyOrder(key, key + "x");
    assertThat(store.delete(key)).isTrue();
    assertThat(store.listKeys()).containsExactly(key + "x");
  }

  @Test
  void valuesAreCopies() {
    Store store = client();
    byte[] value = bytes("abc");
    store.set("k", value);
    value[0] = 'x';
    byte[] got = store.get("k");
    got[1] = 'x';
    assertThat(store.get("k")).isEqualTo(bytes("abc"));
  }

  @Test
  void addCountsFromZero() {
    Store store = client();
    assertThat(store.add("n", 5)).isEqualTo(5);
    assertThat(store.add("n", -7)).isEqualTo(-2);
    assertThat(store.add("n", 0)).isEqualTo(-2);
    assertThat(store.get("n")).isEqualTo(bytes("-2"));
  }

  @Test
  void addReadsTheNumberAValueBeginsWith() {
    Store store = client();
    store.set("n", bytes(" +41 things"));
    assertThat(store.add("n", 1)).isEqualTo(42);
  }

  @Test
  void addWrapsAround() {
    Store store = client();
    store.set("n", bytes(Long.toString(Long.MAX_VALUE)));
    assertThat(store.add("n", 1)).isEqualTo(Long.MIN_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-", " ", "9223372036854775808"})
  void addToWhatIsNoNumberFailsAndTheStoreLivesOn(String value) {
    Store store = client();
    store.set("n", bytes(value));
    assertThatThrownBy(() -> store.add("n", 1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("add")
        .hasMessageContaining("n");
    assertThat(store.get("n")).isEqualTo(bytes(value));
  }

  @Test
  void compareSetSetsWhatIsExpected() {
    Store store = client();
    assertThat(store.compareSet("k", bytes("some"), bytes("new"))).isEqualTo(bytes("some"));
    assertThat(store.check(List.of("k"))).isFalse();
    assertThat(store.compareSet("k", bytes(""), bytes("a"))).isEqualTo(bytes("a"));
    assertThat(store.compareSet("k", bytes(""), bytes("b"))).isEqualTo(bytes("a"));
    assertThat(store.compareSet("k", bytes("a"), bytes("b"))).isEqualTo(bytes("b"));
    assertThat(store.get("k")).isEqualTo(bytes("b"));
  }

  @Test
  void checkIsTrueWhenAllAreThere() {
    Store store = client();
    store.set("a", bytes(""));
    assertThat(store.check(List.of())).isTrue();
    assertThat(store.check(List.of("a"))).isTrue();
    assertThat(store.check(List.of("a", "b"))).isFalse();
    store.set("b", bytes(""));
    assertThat(store.check(List.of("a", "b", "a"))).isTrue();
  }

  @Test
  void deleteSaysWhetherItWasThere() {
    Store store = client();
    store.set("a", bytes("1"));
    assertThat(store.delete("a")).isTrue();
    assertThat(store.delete("a")).isFalse();
    assertThat(store.check(List.of("a"))).isFalse();
    assertThat(store.add("a", 1)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 1000})
  void manyKeysAreDeletedAtOnce(int count) {
    Store store = client();
    List<String> keys = IntStream.range(0, count).mapToObj(i -> "key" + i).toList();
    for (int i = 0; i < count; i += 2) store.add(keys.get(i), 1);
    store.set("other", bytes("1"));
    store.multiDelete(keys);
    assertThat(store.listKeys()).containsExactly("other");
    assertThat(store.get("other")).isEqualTo(bytes("1"));
  }

  @Test
  void keysAreCountedAndListed() {
    Store store = client();
    long before = store.numKeys();
    store.set("a", bytes("1"));
    store.add("b", 1);
    store.set("a", bytes("2"));
    assertThat(store.numKeys()).isEqualTo(before + 2);
    assertThat(store.listKeys()).containsExactlyInAnyOrder("a", "b");
    store.delete("a");
    assertThat(store.numKeys()).isEqualTo(before + 1);
  }

  @Test
  void appendGrowsAValue() {
    Store store = client();
    store.append("k", bytes("ab"));
    store.append("k", bytes(""));
    store.append("k", bytes("c"));
    assertThat(store.get("k")).isEqualTo(bytes("abc"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 1000})
  void manyKeysInOneExchange(int count) {
    Store store = client();
    Map<String, byte[]> values = new LinkedHashMap<>();
    IntStream.range(0, count).forEach(i -> values.put("key" + i, pattern(i)));
    store.multiSet(values);
    List<byte[]> got = store.multiGet(List.copyOf(values.keySet()));
    assertThat(got).hasSize(count);
    IntStream.range(0, count).forEach(i -> assertThat(got.get(i)).isEqualTo(pattern(i)));
    store.await(List.copyOf(values.keySet()), Duration.ZERO);
  }

  @Test
  void aTimeoutNamesWhatIsMissing() {
    Store store = client();
    store.set("there", bytes("1"));
    assertThatThrownBy(() -> store.await(List.of("gone", "there", "lost"), SOON))
        .isInstanceOfSatisfying(
            StoreTimeoutException.class,
            e -> {
              assertThat(e.missing()).hasSize(2);
              assertThat(e.missing().get(0)).endsWith("gone");
              assertThat(e.missing().get(1)).endsWith("lost");
              assertThat(e.timeout()).isEqualTo(SOON);
              assertThat(e).hasMessageContaining("lost").hasMessageContaining("0.05 s");
              assertThat(e).hasMessageContaining(e.store());
            });
    assertThatThrownBy(() -> store.get("gone", SOON))
        .isInstanceOf(StoreTimeoutException.class)
        .hasMessageContaining("gone");
    assertThatThrownBy(() -> store.get("gone", Duration.ZERO))
        .isInstanceOf(StoreTimeoutException.class);
    assertThatThrownBy(() -> store.barrier("barrier", 2, SOON))
        .isInstanceOf(StoreTimeoutException.class)
        .hasMessageContaining("barrier");
    assertThat(store.get("there")).isEqualTo(bytes("1"));
  }

  @Test
  void aWaitEndsWhenTheLastKeyComes() throws Exception {
    Store store = client();
    Store other = client();
    Future<?> waiter = start(() -> run(() -> store.await(List.of("a", "b", "a"), LONG)));
    Future<byte[]> getter = start(() -> store.get("b", LONG));
    Future<List<byte[]>> many = start(() -> store.multiGet(List.of("b", "a")));
    other.set("a", bytes("1"));
    other.add("b", 2);
    finish(waiter);
    assertThat(finish(getter)).isEqualTo(bytes("2"));
    assertThat(finish(many)).containsExactly(bytes("2"), bytes("1"));
  }

  @Test
  void everyKindOfWriteWakesAWaiter() throws Exception {
    Store store = client();
    Store other = client();
    List<String> keys = List.of("set", "add", "append", "compareSet", "multiSet");
    List<Future<byte[]>> waiters =
        keys.stream().map(key -> start(() -> store.get(key, LONG))).toList();
    other.set("set", bytes("1"));
    other.add("add", 1);
    other.append("append", bytes("1"));
    other.compareSet("compareSet", bytes(""), bytes("1"));
    other.multiSet(Map.of("multiSet", bytes("1")));
    for (Future<byte[]> waiter : waiters) assertThat(finish(waiter)).isEqualTo(bytes("1"));
  }

  @Test
  void aWaitingCallHoldsUpNoOther() throws Exception {
    Store store = client();
    List<Future<byte[]>> waiters =
        IntStream.range(0, 5).mapToObj(i -> start(() -> store.get("late" + i, LONG))).toList();
    for (int i = 0; i < 100; i++) assertThat(store.add("n", 1)).isEqualTo(i + 1);
    for (int i = 0; i < 5; i++) store.set("late" + i, bytes("" + i));
    for (int i = 0; i < 5; i++) assertThat(finish(waiters.get(i))).isEqualTo(bytes("" + i));
  }

  @Test
  void twoThreadsHandABallBackAndForth() throws Exception {
    Store store = client();
    Store other = client();
    int rounds = 200;
    Future<?> player =
        start(
            () ->
                run(
                    () -> {
                      for (int i = 0; i < rounds; i++) {
                        store.get("ping" + i, LONG);
                        store.set("pong" + i, bytes("" + i));
                      }
                    }));
    for (int i = 0; i < rounds; i++) {
      other.set("ping" + i, bytes("" + i));
      assertThat(other.get("pong" + i, LONG)).isEqualTo(bytes("" + i));
    }
    finish(player);
  }

  @Test
  void addIsAtomicAmongClients() throws Exception {
    int each = 200;
    Set<Long> seen = java.util.concurrent.ConcurrentHashMap.newKeySet();
    together(
        CLIENTS,
        (store, _) -> {
          for (int i = 0; i < each; i++) assertThat(seen.add(store.add("n", 1))).isTrue();
        });
    assertThat(client().add("n", 0)).isEqualTo((long) CLIENTS * each);
    assertThat(seen).hasSize(CLIENTS * each);
  }

  @Test
  void compareSetIsAtomicAmongClients() throws Exception {
    int each = 25;
    client().set("k", bytes("0"));
    Set<Integer> wins = java.util.concurrent.ConcurrentHashMap.newKeySet();
    together(
        CLIENTS,
        (store, me) -> {
          int won = 0;
          while (won < each) {
            String present = text(store.get("k", LONG));
            int next = Integer.parseInt(present.split(" ")[0]) + 1;
            String mine = next + " of " + me;
            if (text(store.compareSet("k", bytes(present), bytes(mine))).equals(mine)) {
              assertThat(wins.add(next)).isTrue();
              won++;
            }
          }
        });
    assertThat(text(client().get("k"))).startsWith(CLIENTS * each + " of ");
    assertThat(wins).hasSize(CLIENTS * each);
  }

  @Test
  void aBarrierHoldsUntilAllHaveCome() throws Exception {
    AtomicReference<Integer> arrived = new AtomicReference<>(0);
    together(
        CLIENTS,
        (store, _) -> {
          arrived.updateAndGet(n -> n + 1);
          store.barrier("b", CLIENTS, LONG);
          assertThat(arrived.get()).isEqualTo(CLIENTS);
        });
  }

  @Test
  void aBarrierOfOneIsNoBarrier() {
    client().barrier("b", 1, Duration.ZERO);
  }

  @Test
  void queuesAreFirstInFirstOut() {
    assumeTrue(hasQueues(), "this store has no queues");
    Store store = client();
    store.queuePush("q", bytes("1"));
    store.queuePush("q", bytes(""));
    store.queuePush("q", bytes("3"));
    assertThat(store.queueLength("q")).isEqualTo(3);
    assertThat(store.queuePop("q", LONG)).isEqualTo(bytes("1"));
    assertThat(store.queuePoll("q")).hasValue(bytes(""));
    assertThat(store.queuePop("q", Duration.ZERO)).isEqualTo(bytes("3"));
    assertThat(store.queuePoll("q")).isEmpty();
    assertThat(store.queueLength("q")).isZero();
    assertThatThrownBy(() -> store.queuePop("q", SOON))
        .isInstanceOf(StoreTimeoutException.class)
        .hasMessageContaining("q");
  }

  @Test
  void queuesAndKeysAreApart() {
    assumeTrue(hasQueues(), "this store has no queues");
    Store store = client();
    long before = store.numKeys();
    store.queuePush("k", bytes("q"));
    assertThat(store.numKeys()).isEqualTo(before);
    assertThat(store.delete("k")).isFalse();
    store.set("k", bytes("v"));
    assertThat(store.get("k")).isEqualTo(bytes("v"));
    assertThat(store.queuePop("k", LONG)).isEqualTo(bytes("q"));
    assertThatThrownBy(() -> store.queuePop("k", SOON)).isInstanceOf(StoreTimeoutException.class);
  }

  @Test
  void aQueueIsNoValueOfItsName() {
    assumeTrue(hasQueues(), "this store has no queues");
    Store store = client();
    store.queuePush("q", bytes("pushed"));
    assertThatThrownBy(() -> store.get("q", SOON)).isInstanceOf(StoreTimeoutException.class);
    store.set("q", bytes(""));
    assertThat(store.get("q")).isEmpty();
    assertThat(store.queuePoll("q")).hasValue(bytes("pushed"));
  }

  @Test
  void whoOnlyAwaitsAQueueTakesNoPushFromOneWhoPops() throws Exception {
    assumeTrue(hasQueues(), "this store has no queues");
    Store awaiting = client();
    Store popping = client();
    Future<?> first = waiting(1, () -> awaiting.await(List.of("q"), LONG));
    AtomicReference<byte[]> popped = new AtomicReference<>();
    Future<?> second = waiting(2, () -> popped.set(popping.queuePop("q", LONG)));
    client().queuePush("q", bytes("v"));
    first.get(20, TimeUnit.SECONDS);
    second.get(20, TimeUnit.SECONDS);
    assertThat(popped.get()).isEqualTo(bytes("v"));
  }

  /** Starts a call and returns when it waits in the store, as the so manieth that does. */
  private Future<?> waiting(int calls, Runnable call) {
    AtomicReference<Thread> thread = new AtomicReference<>();
    Future<?> result =
        threads.submit(
            () -> {
              thread.set(Thread.currentThread());
              call.run();
            });
    long start = System.nanoTime();
    while (thread.get() == null || !waits(thread.get(), calls)) {
      assertThat(result).isNotDone();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG);
      Thread.onSpinWait();
    }
    return result;
  }

  /** Whether a thread waits in the store, and so many calls do. */
  boolean waits(Thread caller, int calls) {
    return caller.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void eachPushGoesToOneOfThoseWhoWait() throws Exception {
    assumeTrue(hasQueues(), "this store has no queues");
    Store store = client();
    int each = 50;
    List<Future<List<String>>> takers = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Store own = client();
      takers.add(
          start(
              () -> {
                List<String> taken = new ArrayList<>();
                while (taken.size() < each) taken.add(text(own.queuePop("q", LONG)));
                return taken;
              }));
    }
    for (int i = 0; i < CLIENTS * each; i++) store.queuePush("q", bytes("" + i));
    Set<String> all = new HashSet<>();
    for (Future<List<String>> taker : takers) all.addAll(finish(taker));
    assertThat(all).hasSize(CLIENTS * each);
    assertThat(store.queueLength("q")).isZero();
  }

  @Test
  void queuesAreRefusedWhereThereAreNone() {
    assumeTrue(!hasQueues(), "this store has queues");
    Store store = client();
    assertThatThrownBy(() -> store.queuePush("q", bytes("1")))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("queues");
    assertThatThrownBy(() -> store.queuePop("q", SOON))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptEndsAWait(boolean virtual) throws Exception {
    Store store = client();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
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
    assertThat(waiter.join(LONG)).isTrue();
    assertThat(thrown.get())
        .isInstanceOf(StoreException.class)
        .hasCauseInstanceOf(InterruptedException.class)
        .hasMessageContaining("never");
    assertThat(flag.get()).isTrue();
    assertThat(store.add("n", 1)).isEqualTo(2);
  }

  @Test
  void nullsAndNegativeTimeoutsAreRefused() {
    Store store = client();
    assertThatNullPointerException().isThrownBy(() -> store.set(null, bytes("")));
    assertThatNullPointerException().isThrownBy(() -> store.set("k", null));
    assertThatNullPointerException().isThrownBy(() -> store.get(null));
    assertThatNullPointerException().isThrownBy(() -> store.add(null, 1));
    assertThatNullPointerException().isThrownBy(() -> store.compareSet("k", null, bytes("")));
    assertThatNullPointerException().isThrownBy(() -> store.compareSet("k", bytes(""), null));
    assertThatNullPointerException().isThrownBy(() -> store.append("k", null));
    assertThatThrownBy(() -> store.get("k", Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(store.listKeys()).isEmpty();
  }

  @Test
  void aClosedStoreSaysSo() {
    Store store = client();
    store.set("k", bytes("v"));
    store.close();
    store.close();
    assertThatIllegalStateException().isThrownBy(() -> store.get("k"));
    assertThatIllegalStateException().isThrownBy(() -> store.set("k", bytes("")));
    assertThatIllegalStateException().isThrownBy(() -> store.numKeys());
  }

  /** One client and one thread each, started together; all must end without an exception. */
  private void together(int clients, Player player) throws Exception {
    CyclicBarrier start = new CyclicBarrier(clients);
    List<Future<?>> players = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Store store = client();
      int me = i;
      players.add(
          start(
              () -> {
                start.await(LONG.toSeconds(), TimeUnit.SECONDS);
                player.play(store, me);
                return null;
              }));
    }
    for (Future<?> each : players) finish(each);
  }

  private interface Player {
    void play(Store store, int me) throws Exception;
  }

  private <T> Future<T> start(Callable<T> body) {
    return threads.submit(body);
  }

  private static Void run(Runnable body) {
    body.run();
    return null;
  }

  private static <T> T finish(Future<T> future) throws Exception {
    return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) bytes[i] = (byte) (i * 31 + length);
    return bytes;
  }
}
