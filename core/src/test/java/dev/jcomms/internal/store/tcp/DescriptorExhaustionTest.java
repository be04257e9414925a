package dev.jcomms.internal.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A server with no descriptor left: in a process of its own, under a low {@code ulimit}. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class DescriptorExhaustionTest {
  private static final int LIMIT = 64;

  /** Runs a server until its input ends. */
  static final class Main {
    public static void main(String[] arguments) throws Exception {
      try (TcpStoreServer server = TcpStoreServer.start()) {
        System.out.println(server.port());
        while (System.in.read() >= 0) {}
      }
    }
  }

  @Test
  void thoseConnectedAreServedAndTheRestComeInWhenThereIsRoom() throws Exception {
    String path = Path.of("target/classes") + ":" + Path.of("target/test-classes");
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n " + LIMIT + "; exec \"$0\" -Xshare:auto -cp \"$1\" \"$2\"",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                path,
                Main.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<RawClient> crowd = new ArrayList<>();
    try (BufferedReader output = process.inputReader()) {
      int port = Integer.parseInt(output.readLine());
      try (TcpStore store = connect(port)) {
        // Opens both of its connections, and has the server load from its folder the classes that
        // it needs below (from a jar, which stays open, it could load them later too).
        assertThat(store.add("n", 0)).isZero();
        Assertions.assertThatThrownBy(() -> store.get("none", Duration.ofMillis(1)))
            .isInstanceOf(StoreTimeoutException.class);
        for (int i = 0; i < 2 * LIMIT; i++) crowd.add(RawClient.valid(port));
        Duration before = process.toHandle().info().totalCpuDuration().orElseThrow();
        Assertions.assertThatThrownBy(() -> store.get("none", Duration.ofSeconds(1)))
            .isInstanceOf(StoreTimeoutException.class);
        Duration spent = process.toHandle().info().totalCpuDuration().orElseThrow().minus(before);
        assertThat(spent)
            .as("CPU time while nothing could be accepted")
            .isLessThan(Duration.ofMillis(600));
        assertThat(store.add("n", 1)).isEqualTo(1);
        assertThat(crowd.getLast().closesWithin(1)).isFalse();
        for (RawClient each : crowd) each.close();
        try (TcpStore late = connect(port)) {
          assertThat(late.add("n", 1)).isEqualTo(2);
        }
      }
    } finally {
      process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
      for (RawClient each : crowd) each.close();
    }
  }

  private static TcpStore connect(int port) {
    TcpStoreOptions options = TcpStoreOptions.defaults().timeout(Duration.ofSeconds(20));
    return TcpStore.connect("127.0.0.1", port, options);
  }
}
