package dev.jcomms.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract over TCP, for a server and clients of some options. */
abstract class TcpStoreContract extends StoreContract {
  final TcpStoreServer server = TcpStoreServer.start(serverOptions());

  abstract TcpStoreServerOptions serverOptions();

  abstract TcpStoreOptions clientOptions();

  @Override
  Store open() {
    return TcpStore.connect(
        "127.0.0.1", server.port(), clientOptions().timeout(Duration.ofSeconds(20)));
  }

  /** By the server's account, which grows by what is kept for each key waited for. */
  @Override
  boolean waits(Thread caller, int calls) {
    return server.usage().bufferedBytes() >= calls * 256L;
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  /** More than systems hold each way: who only asked, and did not listen, would wait for ever. */
  @Test
  void whatIsAskedForIsTakenBeforeMoreIsAskedFor() {
    Store store = client();
    String key = "k".repeat(200);
    byte[] value = new byte[400];
    store.set(key, value);
    assertThat(store.multiGet(Collections.nCopies(60_000, key)))
        .hasSize(60_000)
        .allSatisfy(one -> assertThat(one).hasSize(value.length));
  }

  @Test
  void whatTheProtocolCannotCarryIsRefused() {
    Store store = client();
    store.set("k".repeat(8191), bytes("v"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.set("k".repeat(8192), bytes("v")))
        .withMessageContaining("8193");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.set("k", new byte[(8 << 20) + 1]))
        .withMessageContaining("8388609");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.check(Collections.nCopies(131073, "k")))
        .withMessageContaining("131073");
  }
}
