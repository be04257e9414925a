package dev.jcomms.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
