package dev.jcomms.internal.store.tcp;

import static dev.jcomms.internal.store.tcp.RawClient.int64;
import static dev.jcomms.internal.store.tcp.RawClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreLimits;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What broken, slow, greedy and hostile clients do to a server: nothing to the others. */
@Timeout(60)
final class RobustnessTest {
  private static final int MIB = 1 << 20;
  private static final Duration BRIEF = Duration.ofMillis(300);

  private final List<AutoCloseable> toClose = new ArrayList<>();
  private TcpStoreServer server;
  private TcpStore bystander;

  private void start(UnaryOperator<StoreLimits> limits) {
    server =
        TcpStoreServer.start(
            TcpStoreServerOptions.defaults().limits(limits.apply(StoreLimits.defaults())));
    bystander = connect();
    bystander.set("bystander", new byte[] {1});
  }

  private TcpStore connect() {
    TcpStore store =
        TcpStore.connect(
            "127.0.0.1", server.port(), TcpStoreOptions.defaults().timeout(Duration.ofSeconds(10)));
    toClose.add(store);
    return store;
  }

  private RawClient raw() throws IOException {
    RawClient client = new RawClient(server.port());
    toClose.add(client);
    return client;
  }

  private RawClient valid() throws IOException {
    return raw().send(RawClient.VALIDATE);
  }

  /** Every test ends with a server that serves, holds nothing for anyone, and lost nothing. */
  @AfterEach
  void theBystanderIsServed() throws Exception {
    try {
      assertThat(bystander.get("bystander")).isEqualTo(new byte[] {1});
    } finally {
      for (AutoCloseable each : toClose) each.close();
      server.close();
    }
  }

  @Test
  void aBadBeginningEndsTheConnection() throws IOException {
    start(limits -> limits);
    raw().send("00 12345678").expectClosed();
    raw().send("0d 01020304").expectClosed();
    raw().send("ff").expectClosed();
    valid().send(RawClient.VALIDATE).expectClosed();
  }

  @Test
  void anOpcodeOutsideTheProtocolEndsTheConnection() throws IOException {
    start(limits -> limits);
    for (String opcode : List.of("13", "49", "4c", "80", "ff")) valid().send(opcode).expectClosed();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 8193, 1L << 32, 1L << 31})
  void anAbsurdLengthOfAKeyEndsTheConnection(long length) throws IOException {
    start(limits -> limits);
    for (String opcode : List.of("01", "02", "03", "04", "08", "09", "0e", "0f", "10", "12")) {
      valid().send(opcode + int64(length)).expectClosed();
    }
    valid().send("06" + int64(1) + int64(length)).expectClosed();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, (8 << 20) + 1, 1L << 32})
  void anAbsurdLengthOfAValueEndsTheConnection(long length) throws IOException {
    start(limits -> limits);
    for (String opcode : List.of("01", "02", "09", "0e")) {
      valid().send(opcode + text("/k") + int64(length)).expectClosed();
    }
    valid().send("02" + text("/k") + text("v") + int64(length)).expectClosed();
    valid().send("0b" + int64(1) + text("/k") + int64(length)).expectClosed();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 131073})
  void anAbsurdNumberOfKeysEndsTheConnection(long count) throws IOException {
    start(limits -> limits);
    for (String opcode : List.of("05", "06", "0a", "0b")) {
      valid().send(opcode + int64(count)).expectClosed();
    }
  }

  @Test
  void memoryIsTakenForBytesThatCameNotForThoseClaimed() throws IOException {
    start(limits -> limits);
    for (int i = 0; i < 100; i++) {
      valid().send("01" + text("/k") + int64(8 << 20) + "0102030405");
      valid().send("06" + int64(131072) + text("/k"));
    }
    // The last of them has been served when this one is.
    valid().expectSilence();
    assertThat(server.usage().bufferedBytes()).isBetween(100L, 100L << 10);
  }

  @Test
  void whoSaysNothingIsDropped() throws IOException {
    start(limits -> limits.handshake(BRIEF));
    raw().expectClosed();
    raw().send("00 cef7").expectClosed();
  }

  @Test
  void aMessageThatStopsHalfwayIsDropped() throws IOException {
    start(limits -> limits.progress(BRIEF));
    RawClient idle = valid().expectSilence();
    valid().send("01" + text("/k") + int64(1000) + "00".repeat(500)).expectClosed();
    valid().send("01 0200").expectClosed();
    idle.expectSilence();
  }

  @Test
  void aMessageThatTricklesIsDropped() throws IOException {
    start(limits -> limits.progress(BRIEF));
    RawClient slow = valid().send("01" + text("/k") + int64(1 << 20));
    int sent = 0;
    while (!slow.closesWithin(20)) {
      slow.send("00");
      assertThat(sent++).isLessThan(200);
    }
  }

  @Test
  void aWaitIsNotHeldAgainstAClient() throws IOException {
    start(limits -> limits.progress(BRIEF).handshake(BRIEF));
    RawClient waiter = valid().send("06" + int64(1) + text("/late"));
    // The one that comes later is dropped later, so the waiter has outlived the deadline.
    valid().send("01").expectClosed();
    bystander.set("late", new byte[0]);
    waiter.expect("00");
  }

  @Test
  void whoDoesNotTakeItsRepliesIsDropped() throws IOException {
    start(limits -> limits.connectionBytes(16 * MIB));
    bystander.set("big", new byte[MIB]);
    RawClient greedy = valid().expectSilence();
    greedy.trySend(("03" + text("/big")).repeat(1000));
    awaitUsage(usage -> usage.connections() == 1 && usage.bufferedBytes() == 0);
  }

  @Test
  void whoTakesItsRepliesTooSlowlyIsDropped() throws IOException {
    start(limits -> limits.progress(BRIEF));
    bystander.set("big", new byte[MIB]);
    valid().expectSilence().send(("03" + text("/big")).repeat(20));
    awaitUsage(usage -> usage.connections() == 1 && usage.bufferedBytes() == 0);
  }

  @Test
  void manyRequestsBeforeTheFirstReplyIsReadAreAllServed() throws Exception {
    start(limits -> limits);
    byte[] value = new byte[1000];
    Arrays.fill(value, (byte) 9);
    bystander.set("k", value);
    RawClient client = valid();
    int requests = 20_000;
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < requests; i++) client.send("03" + text("/k"));
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    for (int i = 0; i < requests; i++) {
      assertThat(client.read(8 + value.length).length).isEqualTo(8 + value.length);
    }
    assertThat(writer.join(Duration.ofSeconds(10))).isTrue();
    client.expectSilence();
  }

  @Test
  void theTotalIsBounded() {
    start(limits -> limits.totalBytes(10 * MIB));
    for (int i = 0; i < 8; i++) bystander.set("k" + i, new byte[MIB]);
    TcpStore greedy = connect();
    assertThatThrownBy(() -> greedy.set("one more", new byte[4 * MIB]))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("one more");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 4; i++) greedy.queuePush("q", new byte[MIB]);
            })
        .isInstanceOf(StoreException.class);
    assertThat(server.usage().storedBytes()).isLessThanOrEqualTo(10 * MIB);
    while (greedy.queuePoll("q").isPresent()) {}
    for (int i = 0; i < 8; i++) assertThat(greedy.delete("k" + i)).isTrue();
    greedy.set("one more", new byte[4 * MIB]);
    assertThat(greedy.get("one more")).hasSize(4 * MIB);
  }

  @Test
  void aValueGrowsToItsLimitAndNoFurther() {
    start(limits -> limits.valueBytes(2 * MIB));
    bystander.append("k", new byte[MIB]);
    bystander.append("k", new byte[MIB]);
    assertThatThrownBy(() -> bystander.append("k", new byte[1])).isInstanceOf(StoreException.class);
    assertThat(bystander.get("k")).hasSize(2 * MIB);
  }

  @Test
  void keysWaitedForAreBounded() throws IOException {
    start(limits -> limits.connectionBytes(MIB));
    String key = text("/" + "k".repeat(8000));
    valid().trySend("06" + int64(200) + key.repeat(200)).expectClosed();
    RawClient waiter = valid().send("06" + int64(1) + text("/k")).expectSilence();
    assertThat(server.usage().bufferedBytes()).isPositive();
    waiter.send("0c").expect("01");
    awaitUsage(usage -> usage.bufferedBytes() == 0);
  }

  @Test
  void keysWaitedForAreChargedAsTheMemoryTheyTake() throws IOException {
    start(limits -> limits.totalBytes(MIB));
    StringBuilder keys = new StringBuilder();
    for (int i = 0; i < 2500; i++) keys.append(text("/" + i));
    String wait = "06" + int64(2500) + keys;
    RawClient first = valid().send(wait).expectSilence();
    assertThat(server.usage().bufferedBytes()).isGreaterThan(2500 * 250);
    valid().send(wait).expectClosed();
    first.expectSilence();
  }

  @Test
  void whatIsStoredIsAccountedForToTheByte() {
    start(limits -> limits);
    long before = server.usage().storedBytes();
    bystander.set("k", new byte[1000]);
    bystander.set("k", new byte[10]);
    bystander.append("k", new byte[90]);
    bystander.add("n", 1);
    bystander.compareSet("n", new byte[] {'1'}, new byte[500]);
    bystander.queuePush("q", new byte[1000]);
    bystander.queuePush("q", new byte[2000]);
    assertThat(server.usage().storedBytes()).isGreaterThan(before + 3600);
    bystander.delete("k");
    bystander.delete("n");
    bystander.queuePoll("q");
    bystander.queuePoll("q");
    assertThat(server.usage().storedBytes()).isEqualTo(before);
  }

  @Test
  void strangersMakeRoomButMembersStay() throws IOException {
    start(limits -> limits.connections(4));
    RawClient first = raw();
    RawClient second = raw();
    raw();
    RawClient member = valid().expectSilence();
    first.expectClosed();
    RawClient another = valid().expectSilence();
    second.expectClosed();
    RawClient third = valid().expectSilence();
    raw().expectClosed();
    member.expectSilence();
    another.expectSilence();
    third.close();
    awaitUsage(usage -> usage.connections() == 3);
    valid().expectSilence();
  }

  @Test
  void threeThousandIdleClientsCostNothing() throws Exception {
    start(limits -> limits);
    List<RawClient> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 3000; i++) idle.add(valid());
    } catch (IOException e) {
      idle.forEach(RobustnessTest::closeQuietly);
      Assumptions.abort("not enough descriptors for 3000 connections (ulimit -n): " + e);
    }
    awaitUsage(usage -> usage.connections() == 3001 && usage.bufferedBytes() == 0);
    long[] nanos = new long[1000];
    for (int i = 0; i < nanos.length; i++) {
      long start = System.nanoTime();
      bystander.add("n", 1);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    assertThat(Duration.ofNanos(nanos[500])).isLessThan(Duration.ofMillis(50));
    for (RawClient client : idle) client.send("06" + int64(1) + text("/go"));
    idle.getLast().expectSilence();
    bystander.set("go", new byte[0]);
    for (RawClient client : idle) client.expect("00");
    awaitUsage(usage -> usage.bufferedBytes() == 0);
    for (RawClient client : idle) client.close();
    awaitUsage(usage -> usage.connections() == 1);
  }

  @Test
  void greetingsOfOtherProtocolsEndTheConnection() throws IOException {
    start(limits -> limits);
    for (String greeting :
        List.of("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n", "EHLO x\r\n")) {
      raw().send(greeting.getBytes(StandardCharsets.US_ASCII)).expectClosed();
    }
    raw().send("16030100f5010000f10303").expectClosed();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void randomBytesHarmNobody(long seed) throws IOException {
    start(limits -> limits);
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      byte[] noise = new byte[random.nextInt(2000)];
      random.nextBytes(noise);
      try (RawClient client = i % 2 == 0 ? raw() : valid()) {
        // Small numbers look like opcodes and lengths, so they get further in.
        if (i % 4 == 1) for (int j = 0; j < noise.length; j++) noise[j] &= 0x13;
        client.send(noise);
      } catch (IOException e) {
        // Closed while we were still talking.
      }
    }
    // A newcomer is accepted after all of them.
    valid().expectSilence();
    awaitUsage(usage -> usage.connections() == 2 && usage.bufferedBytes() == 0);
  }

  @Test
  void closingTheServerEndsEverybody() throws IOException {
    start(limits -> limits);
    TcpStore waiter = connect();
    RawClient client = valid().send("06" + int64(1) + text("/never")).expectSilence();
    assertThat(server.isServing()).isTrue();
    server.close();
    server.close();
    assertThat(server.isServing()).isFalse();
    client.expectClosed();
    assertThatThrownBy(() -> waiter.add("n", 1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("127.0.0.1:" + server.port());
    assertThatThrownBy(() -> waiter.add("n", 1)).isInstanceOf(StoreException.class);
    // For the check after each test.
    TcpStoreServer next =
        TcpStoreServer.start(TcpStoreServerOptions.defaults().port(server.port()));
    toClose.add(next);
    assertThat(bystanderAnew()).isEqualTo(1);
  }

  /** A client whose server came back connects anew. */
  private long bystanderAnew() {
    try {
      bystander.numKeys();
    } catch (StoreException e) {
      // This call learnt that the old connection is gone.
    }
    bystander.set("bystander", new byte[] {1});
    return bystander.numKeys();
  }

  private void awaitUsage(java.util.function.Predicate<TcpStoreServer.Usage> wanted) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!wanted.test(server.usage())) {
      assertThat(System.nanoTime()).as(server.usage().toString()).isLessThan(deadline);
      Thread.onSpinWait();
      Thread.yield();
    }
  }

  private static void closeQuietly(RawClient client) {
    try {
      client.close();
    } catch (IOException e) {
      // Nothing was asked of it.
    }
  }
}
