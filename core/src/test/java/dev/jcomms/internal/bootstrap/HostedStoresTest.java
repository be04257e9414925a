package dev.jcomms.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.StoreSecret;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where rank 0 listens for the others. */
@Timeout(120)
final class HostedStoresTest {
  /** Hosts a store at node0, with a secret and without, and prints where they listen. */
  static final class Main {
    public static void main(String[] arguments) {
      Optional<StoreSecret> secret = Optional.of(StoreSecret.generate());
      InetAddress closed = HostedStores.at("node0", 0, secret).server().address().getAddress();
      InetAddress open =
          HostedStores.at("NODE0", 0, Optional.empty()).server().address().getAddress();
      System.out.println(closed.isAnyLocalAddress() + " " + open.getHostAddress());
      System.exit(0);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void rankZeroListensForOtherHostsIfThereIsASecret(@TempDir Path folder) throws Exception {
    Path hosts = folder.resolve("hosts");
    Files.writeString(hosts, "127.0.0.1 localhost\n127.0.1.1 node0 NODE0\n");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Djdk.net.hosts.file=" + hosts,
                "-cp",
                Path.of("target/classes") + ":" + Path.of("target/test-classes"),
                Main.class.getName())
            .redirectError(folder.resolve("errors").toFile())
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(said).isEqualTo("true 127.0.1.1\n");
      assertThat(Files.readString(folder.resolve("errors")))
          .contains("MASTER_ADDR=NODE0")
          .doesNotContain("MASTER_ADDR=node0");
    } finally {
      process.destroyForcibly();
    }
  }
}
