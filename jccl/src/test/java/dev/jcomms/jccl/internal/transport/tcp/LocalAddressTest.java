package dev.jcomms.jccl.internal.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jcomms.spi.BackendContext;
import dev.jcomms.tensor.Device;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalAddressTest {
  private static InetAddress choose(
      boolean oneHost, Map<String, String> hints, Map<String, String> environment) {
    return LocalAddress.choose(context(hints, environment), oneHost);
  }

  private static BackendContext context(
      Map<String, String> hints, Map<String, String> environment) {
    Duration timeout = Duration.ofSeconds(1);
    return new BackendContext(
        "c", 0, 2, List.of(0, 1), Device.CPU, null, timeout, hints, environment);
  }

  @Test
  void ranksOfOneHostMeetOnLoopback() {
    Map<String, String> elsewhere = Map.of("MASTER_ADDR", "198.51.100.7");
    assertThat(choose(true, Map.of(), elsewhere).isLoopbackAddress()).isTrue();
  }

  @Test
  void soDoRanksWhoseMasterIsThere() {
    Map<String, String> local = Map.of("MASTER_ADDR", "127.0.0.1");
    assertThat(choose(false, Map.of(), local).isLoopbackAddress()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.1.1", "::1", "localhost", "a.localhost"})
  void loopbackByAnyOfItsNamesIsLoopback(String master) {
    LocalAddress.Names names = _ -> InetAddress.getLoopbackAddress();
    BackendContext context = context(Map.of(), Map.of("MASTER_ADDR", master));
    assertThat(LocalAddress.choose(context, false, names).isLoopbackAddress()).isTrue();
  }

  /** As Debian has it in /etc/hosts: the others find another address by that name. */
  @Test
  void aHostsOwnNameThatIsLoopbackThereMeansNoneToOthers() {
    assumeTrue(!all(address -> address.isLoopbackAddress()), "this machine has no network");
    LocalAddress.Names names =
        name -> InetAddress.ofLiteral(name.equals("node0") ? "127.0.1.1" : name);
    BackendContext context = context(Map.of(), Map.of("MASTER_ADDR", "node0"));
    assertThat(LocalAddress.choose(context, false, names).isLoopbackAddress()).isFalse();
    assertThat(LocalAddress.choose(context, true, names).isLoopbackAddress()).isTrue();
  }

  private static boolean all(Predicate<InetAddress> wanted) {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .allMatch(wanted);
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void withoutAMasterThereIsAnAddressAllTheSame() {
    assertThat(choose(false, Map.of(), Map.of()).isAnyLocalAddress()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.0/8", "127.0.0.1/32", "0.0.0.0/0"})
  void aHintNamesAnAddressOrANetwork(String hint) throws Exception {
    InetAddress chosen = choose(true, Map.of("tcp.address", hint), Map.of());
    assertThat(NetworkInterface.getByInetAddress(chosen)).isNotNull();
    assertThat(chosen.isLoopbackAddress() || hint.startsWith("0")).isTrue();
  }

  @Test
  void aHintNamesAnInterface() throws Exception {
    String loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getName();
    InetAddress chosen = choose(false, Map.of("tcp.interface", loopback), Map.of());
    assertThat(chosen.isLoopbackAddress()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"203.0.113.77", "203.0.113.0/24", "localhost", "127.0.0.1/33", "::/x"})
  void aHintThatThisHostCannotFollowIsRefused(String hint) {
    assertThatThrownBy(() -> choose(true, Map.of("tcp.address", hint), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hint tcp.address=" + hint)
        .hasMessageContaining("127.0.0.1");
  }

  @Test
  void anUnknownInterfaceIsRefusedWithTheListOfThoseThereAre() {
    assertThatThrownBy(() -> choose(true, Map.of("tcp.interface", "nosuch0"), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tcp.interface=nosuch0")
        .hasMessageContaining("lo");
  }

  @Test
  void endpointsTravelAsText() {
    for (String literal : List.of("10.0.0.7", "::1", "2001:db8::5")) {
      Endpoint endpoint = new Endpoint(InetAddress.ofLiteral(literal), 41822);
      assertThat(Endpoint.decode(endpoint.encode(), endpoint.address())).isEqualTo(endpoint);
    }
    assertThat(new Endpoint(InetAddress.ofLiteral("10.0.0.7"), 41822))
        .hasToString("10.0.0.7:41822");
    assertThatThrownBy(() -> Endpoint.decode("example.org 80", InetAddress.getLoopbackAddress()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPeerOnTheSameLinkIsReachedThroughOwnInterface() throws Exception {
    byte[] linkLocal = InetAddress.ofLiteral("fe80::1").getAddress();
    Endpoint there = new Endpoint(Inet6Address.getByAddress(null, linkLocal, 7), 80);
    InetAddress own = Inet6Address.getByAddress(null, linkLocal, 3);
    Endpoint here = Endpoint.decode(there.encode(), own);
    assertThat(((Inet6Address) here.address()).getScopeId()).isEqualTo(3);
  }

  @Test
  void ranksMeetOverVersionSixToo() {
    assumeTrue(hasVersionSix(), "no IPv6 on loopback");
    TcpRanks.run(
        2,
        Map.of("tcp.address", "::1"),
        rank -> {
          assertThat(rank.fabric().address(1 - rank.rank())).startsWith("[0:0:0:0:0:0:0:1]:");
          Lines lines = rank.lines();
          int peer = 1 - rank.rank();
          lines.operation(
              1,
              1,
              rank.deadline(),
              () -> {
                lines.signal(peer);
                lines.await(lines.signalFrom(peer));
              });
        });
  }

  private static boolean hasVersionSix() {
    try {
      return NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null;
    } catch (SocketException e) {
      return false;
    }
  }
}
