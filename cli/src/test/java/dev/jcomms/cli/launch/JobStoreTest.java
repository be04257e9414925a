package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The store that a launcher serves for its ranks: who may use it. */
@Timeout(60)
final class JobStoreTest {
  private static final TcpStoreOptions STRANGER =
      TcpStoreOptions.defaults().timeout(Duration.ofSeconds(5));
  private static final String SCRIPT =
      "echo secret $JCOMMS_SECRET; echo port $MASTER_PORT; until [ -e done ]; do sleep 0.05; done";

  @TempDir Path folder;

  @Test
  void ranksAreAdmittedByTheSecretAndStrangersAreNot() throws Exception {
    try (Launcher job = Launcher.start(folder, "run", "--", "sh", "-c", SCRIPT)) {
      int port = Integer.parseInt(job.await("port (\\d+)", 1).getFirst());
      String secret = job.await("secret (\\w+)", 1).getFirst();
      TcpStoreOptions rank = STRANGER.secret(StoreSecret.of(secret));
      try (TcpStore store = TcpStore.connect("127.0.0.1", port, rank)) {
        assertThat(store.add("x", 2)).isEqualTo(2);
      }
      assertThatThrownBy(
              () -> {
                try (TcpStore store = TcpStore.connect("127.0.0.1", port, STRANGER)) {
                  store.add("x", 1);
                }
              })
          .isInstanceOf(StoreException.class);
      Files.createFile(folder.resolve("done"));
      assertThat(job.status()).isZero();
    }
  }

  @Test
  void anOpenStoreAdmitsPlainClientsToo() throws Exception {
    try (Launcher job = Launcher.start(folder, "run", "--open-store", "--", "sh", "-c", SCRIPT)) {
      int port = Integer.parseInt(job.await("port (\\d+)", 1).getFirst());
      try (TcpStore store = TcpStore.connect("127.0.0.1", port, STRANGER)) {
        assertThat(store.add("x", 2)).isEqualTo(2);
      }
      Files.createFile(folder.resolve("done"));
      assertThat(job.status()).isZero();
    }
  }
}
