package dev.jcomms.internal.store.tcp;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * Has the system speak on connections on which nobody else does. What stands between two hosts, a
 * NAT or a firewall, forgets a connection that is silent for some minutes; systems by themselves
 * wait two hours.
 */
final class KeepAlive {
  private static final int IDLE_SECONDS = 60;
  private static final int INTERVAL_SECONDS = 15;

  private KeepAlive() {}

  static void on(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    whereKnown(channel, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
    whereKnown(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
  }

  private static void whereKnown(SocketChannel channel, SocketOption<Integer> option, int seconds)
      throws IOException {
    if (channel.supportedOptions().contains(option)) {
      channel.setOption(option, seconds);
    }
  }
}
