package dev.jcomms.store;

import static dev.jcomms.store.StoreContract.bytes;
import static dev.jcomms.store.StoreContract.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same stores, with real PyTorch at the other end. */
@Timeout(120)
final class PyTorchInteropTest {
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final TcpStoreOptions OPTIONS = TcpStoreOptions.defaults().timeout(LONG);

  @Test
  void itsClientIsServedAsByItsOwnServer() throws Exception {
    try (TcpStoreServer server = TcpStoreServer.start();
        Python python = new Python("tcp_client.py", server.port());
        TcpStore store = TcpStore.connect("127.0.0.1", server.port(), OPTIONS)) {
      python.expectOk();
      assertThat(text(store.get("from python"))).isEqualTo("ü");
      assertThat(store.listKeys()).contains("outer/inner/k");
    }
  }

  @Test
  void itsClientIsServedByAnOpenServerWithASecret() throws Exception {
    try (TcpStoreServer server =
            TcpStoreServer.start(
                TcpStoreServerOptions.defaults().secret(StoreSecret.generate()).open(true));
        Python python = new Python("tcp_client.py", server.port())) {
      python.expectOk();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"libuv", "legacy"})
  void ourClientIsServedByItsServer(String kind) throws Exception {
    try (Python python = new Python("tcp_server.py", kind)) {
      int port = Integer.parseInt(python.readLine());
      try (TcpStore store = TcpStore.connect("127.0.0.1", port, OPTIONS)) {
        assertThat(store.get("from python")).isEqualTo(bytes("hello"));
        store.set("k", bytes("java"));
        assertThat(python.ask("get k")).isEqualTo("java");
        store.set("empty", bytes(""));
        assertThat(store.get("empty")).isEmpty();
        store.set("big", new byte[8 << 20]);
        assertThat(store.get("big")).hasSize(8 << 20);
        assertThat(store.add("n", 5)).isEqualTo(5);
        assertThat(store.add("n", -7)).isEqualTo(-2);
        assertThat(store.compareSet("c", bytes("x"), bytes("y"))).isEqualTo(bytes("x"));
        assertThat(store.compareSet("c", bytes(""), bytes("y"))).isEqualTo(bytes("y"));
        assertThat(store.check(List.of("k", "n"))).isTrue();
        assertThat(store.check(List.of("k", "none"))).isFalse();
        store.append("a", bytes("x"));
        store.append("a", bytes("yz"));
        assertThat(store.get("a")).isEqualTo(bytes("xyz"));
        store.multiSet(Map.of("m1", bytes("1"), "m2", bytes("22")));
        assertThat(store.multiGet(List.of("m2", "m1"))).containsExactly(bytes("22"), bytes("1"));
        assertThat(store.delete("a")).isTrue();
        assertThat(store.delete("a")).isFalse();
        List<String> many = IntStream.range(0, 600).mapToObj(i -> "many" + i).toList();
        many.forEach(key -> store.set(key, bytes("1")));
        store.multiDelete(many);
        store.multiDelete(many);
        assertThat(store.numKeys()).isEqualTo(8);
        assertThat(store.listKeys())
            .containsExactlyInAnyOrder("from python", "k", "empty", "big", "n", "c", "m1", "m2");
        assertThatThrownBy(() -> store.await(List.of("k", "none"), SOON))
            .isInstanceOfSatisfying(
                StoreTimeoutException.class, e -> assertThat(e.missing()).containsExactly("none"));
        CompletableFuture<byte[]> waiter =
            CompletableFuture.supplyAsync(() -> store.get("late", LONG));
        assertThat(store.add("n", 0)).isEqualTo(-2);
        python.ask("set late L");
        assertThat(waiter.get(20, TimeUnit.SECONDS)).isEqualTo(bytes("L"));
        store.barrier("alone", 1, LONG);
        assertThatThrownBy(() -> store.barrier("pair", 2, SOON))
            .isInstanceOf(StoreTimeoutException.class);
      }
    }
  }

  @Test
  void ourClientUsesItsQueues() throws Exception {
    try (Python python = new Python("tcp_server.py", "libuv")) {
      int port = Integer.parseInt(python.readLine());
      try (TcpStore store = TcpStore.connect("127.0.0.1", port, OPTIONS)) {
        store.queuePush("q", bytes("1"));
        store.queuePush("q", bytes("2"));
        assertThat(store.queueLength("q")).isEqualTo(2);
        assertThat(store.queuePop("q", LONG)).isEqualTo(bytes("1"));
        assertThat(store.queuePoll("q")).hasValue(bytes("2"));
        assertThat(store.queuePoll("q")).isEmpty();
        assertThatThrownBy(() -> store.queuePop("q", SOON))
            .isInstanceOf(StoreTimeoutException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"libuv", "legacy"})
  void aSecretMeetsAServerThatKnowsNone(String kind) throws Exception {
    try (Python python = new Python("tcp_server.py", kind)) {
      int port = Integer.parseInt(python.readLine());
      TcpStoreOptions secret = OPTIONS.secret(StoreSecret.generate());
      assertThatThrownBy(() -> TcpStore.connect("127.0.0.1", port, secret))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("knows no secrets");
      try (TcpStore store = TcpStore.connect("127.0.0.1", port, secret.plainServer(true))) {
        assertThat(store.get("from python")).isEqualTo(bytes("hello"));
      }
    }
  }

  @Test
  void aKilledServerIsNoticed() throws Exception {
    try (Python python = new Python("tcp_server.py", "libuv")) {
      int port = Integer.parseInt(python.readLine());
      try (TcpStore store = TcpStore.connect("127.0.0.1", port, OPTIONS)) {
        CompletableFuture<byte[]> waiter =
            CompletableFuture.supplyAsync(() -> store.get("never", LONG));
        store.add("n", 1);
        python.kill();
        assertThatThrownBy(() -> waiter.get(5, TimeUnit.SECONDS))
            .hasCauseInstanceOf(StoreException.class)
            .hasMessageContaining("127.0.0.1:" + port);
        assertThatThrownBy(() -> store.add("n", 1)).isInstanceOf(StoreException.class);
      }
    }
  }

  @Test
  void aFileIsShared(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("store");
    int adds = 500;
    try (FileStore store = FileStore.open(file, 3, LONG)) {
      store.set("from java", bytes("hallo"));
      store.set("c", bytes("java"));
      try (Python first = new Python("file_store.py", file, 3, adds)) {
        assertThat(store.get("from python", Duration.ofSeconds(60))).isEqualTo(bytes("hello"));
        assertThat(store.get("ready", LONG)).isEqualTo(bytes("1"));
        assertThat(store.get("c")).isEqualTo(bytes("python"));
        store.set("c", bytes("java"));
        try (Python second = new Python("file_store.py", file, 3, adds)) {
          while (store.add("ready", 0) < 2) Thread.onSpinWait();
          store.set("go", bytes(""));
          for (int i = 0; i < adds; i++) store.add("n", 1);
          while (store.add("finished", 0) < 2) Thread.onSpinWait();
          assertThat(store.add("n", 0)).isEqualTo(3L * adds);
          assertThat(store.check(List.of("gone"))).isFalse();
          store.set("bye", bytes(""));
          first.expectOk();
          second.expectOk();
        }
      }
      assertThat(file).exists();
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void itsRanksMeetAtOurServer() throws Exception {
    int world = 2;
    try (TcpStoreServer server = TcpStoreServer.start()) {
      List<Python> ranks = new ArrayList<>();
      try {
        for (int rank = 0; rank < world; rank++) {
          ranks.add(new Python("gloo_rank.py", rank, world, server.port()));
        }
        for (Python rank : ranks) rank.expectOk();
      } finally {
        ranks.forEach(Python::close);
      }
    }
  }
}
