package dev.jcomms.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jcomms.store.StoreSecret;
import java.net.InetAddress;
import java.net.NetworkInterface;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class MasterAddressTest {
  private static MasterAddress master(String name, String address) {
    return new MasterAddress(name, InetAddress.ofLiteral(address));
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1",
    "::1, ::1",
    "localhost, 127.0.0.1",
    "LocalHost, ::1",
    "localhost.localdomain, 127.0.0.1",
    "a.localhost, 127.0.0.1",
    "ip6-loopback, ::1",
    "127.0.1.1, 127.0.1.1",
  })
  void whatIsLoopbackToEverybodyStaysOnThisHost(String name, String address) throws Exception {
    MasterAddress master = master(name, address);
    assertThat(master.isOwnName()).isFalse();
    assertThat(master.listenAt(true)).isEqualTo(master.address());
    assertThat(master.reachable()).isEqualTo(master.address());
  }

  @Test
  void whatIsNotLoopbackIsListenedAtAsItIs() {
    MasterAddress master = master("node0", "192.0.2.7");
    assertThat(master.isOwnName()).isFalse();
    assertThat(master.listenAt(true)).isEqualTo(master.address());
  }

  @Test
  void aHostThatIsMeantByItsOwnNameIsReachedFromOthers() throws Exception {
    MasterAddress master = master("node0", "127.0.1.1");
    assertThat(master.isOwnName()).isTrue();
    assertThat(master.listenAt(false)).isEqualTo(master.address());
    assumeTrue(hasNetwork(), "this machine has no network");
    assertThat(master.reachable().isLoopbackAddress()).isFalse();
  }

  private static boolean hasNetwork() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .anyMatch(own -> !own.isLoopbackAddress() && !own.isLinkLocalAddress());
  }

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
