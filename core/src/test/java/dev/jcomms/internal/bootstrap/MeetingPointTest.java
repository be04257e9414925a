package dev.jcomms.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jcomms.InitHandle;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.StoreSecret;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MeetingPointTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void aHandleDoesNotNameAnInterfaceOfThisHost() throws Exception {
    Optional<InetAddress> own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet6Address && address.isLinkLocalAddress())
            .findFirst();
    assumeThat(own).as("a link-local address").isPresent();
    Map<String, String> env = Map.of("MASTER_ADDR", own.get().getHostAddress());
    Lodging before = new Lodging(HashStore.create(), Optional.of(StoreSecret.generate()));
    MeetingPoint point = MeetingPoint.of(env, before);
    try {
      InitHandle handle = point.handle();
      assertThat(handle.address()).startsWith("fe80:").doesNotContain("%");
      Lodging there = point.join(handle, 0, 1, handle.owner(), PATIENCE);
      there.store().set("met", new byte[0]);
      there.store().close();
      point.close();
    } finally {
      point.close();
    }
  }

  @Test
  void aLinkLocalPeerIsOnTheLinkOfThisRank() throws Exception {
    byte[] bytes = InetAddress.ofLiteral("fe80::1").getAddress();
    InetAddress here = Inet6Address.getByAddress(null, bytes, 7);
    assertThat(MeetingPoint.literal(here)).isEqualTo("fe80:0:0:0:0:0:0:1");
    assertThat(MeetingPoint.scoped("fe80::2", here)).isEqualTo("fe80::2%7");
    assertThat(MeetingPoint.scoped("fe80::2", InetAddress.ofLiteral("10.0.0.1")))
        .isEqualTo("fe80::2");
  }
}
