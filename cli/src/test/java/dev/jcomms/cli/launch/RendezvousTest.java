package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RendezvousTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "LocalHost"})
  void loopbackByAnyOfItsNamesStaysOnThisHost(String name) throws Exception {
    InetAddress address = Rendezvous.listenAt(StoreNodesTest.spec(0, 2, name));
    assertThat(address.isLoopbackAddress()).isTrue();
  }
}
