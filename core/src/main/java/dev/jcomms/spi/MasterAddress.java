package dev.jcomms.spi;

import dev.jcomms.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Where the job's master is: by the name that all ranks were told ({@link Setting#MASTER_ADDR}),
 * and as this host understands it. For whoever listens for ranks of other hosts: stores, and
 * backends. Immutable.
 *
 * <p>The two may differ. Debian and others give a host's own name a loopback address (127.0.1.1) in
 * its {@code /etc/hosts}: other hosts find another address by that name.
 */
public record MasterAddress(String name, InetAddress address) {
  /** Reserved for documentation: there is a route to it if there is one to the world. */
  private static final InetAddress ANYWHERE = InetAddress.ofLiteral("198.51.100.1");

  private static final int ANY_PORT = 9;

  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback");

  /** The master of a name, as this host resolves it. */
  public static MasterAddress of(String name) throws UnknownHostException {
    return new MasterAddress(name, InetAddress.getByName(name));
  }

  /** Whether it is this host alone that takes the name for loopback. */
  public boolean isOwnName() {
    return address.isLoopbackAddress() && !isLiteral() && !isNamedLoopback();
  }

  /**
   * Where a store of that name listens: at its address, so that loopback stays on this host. But a
   * host that is meant by its own name is to be reached from others.
   *
   * @param forOthers whether they may come: a store that asks for no secret is not for them
   */
  public InetAddress listenAt(boolean forOthers) {
    return isOwnName() && forOthers ? new InetSocketAddress(0).getAddress() : address;
  }

  /**
   * This host's address that other ranks can reach: the one on the way to the master, or to
   * anywhere where the master is this host.
   */
  public InetAddress reachable() throws IOException {
    if (!isOwnName()) return address.isLoopbackAddress() ? address : towards(address);
    try {
      return towards(ANYWHERE);
    } catch (IOException e) {
      return outward().orElse(address);
    }
  }

  /** Connecting a datagram socket sends nothing: it only asks the routing table. */
  private static InetAddress towards(InetAddress target) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(target, ANY_PORT);
      return socket.getLocalAddress();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** An address of a network without a way to the world. */
  private static Optional<InetAddress> outward() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(own -> !own.isLoopbackAddress() && !own.isLinkLocalAddress())
        .findFirst();
  }

  private boolean isLiteral() {
    try {
      InetAddress.ofLiteral(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean isNamedLoopback() {
    return Arrays.stream(name.toLowerCase(Locale.ROOT).split("\\."))
        .anyMatch(LOOPBACK_NAMES::contains);
  }
}
