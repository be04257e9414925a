package dev.jcomms.jccl.internal.transport.tcp;

import dev.jcomms.Setting;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.MasterAddress;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which of this host's addresses a rank listens on. In this order:
 *
 * <ol>
 *   <li>hint {@code tcp.address}: an address of this host, or a network ({@code 10.1.0.0/16}) that
 *       it has an address in: one hint for all hosts;
 *   <li>hint {@code tcp.interface}: the first address of an interface by name;
 *   <li>loopback, if all ranks are on this host or the job's master is on loopback by its address
 *       or as {@code localhost};
 *   <li>the address that packets to the job's master leave from, unless its name is loopback on
 *       this host alone, as Debian has it for a host's own name;
 *   <li>the address that packets to anywhere leave from; any address; loopback.
 * </ol>
 *
 * <p>Never the wildcard: what nobody needs to reach is not open.
 */
final class LocalAddress {
  /** Reserved for documentation: there is a route to it if there is one to the world. */
  private static final String ANYWHERE = "198.51.100.1";

  private LocalAddress() {}

  /** What a name means on this host. */
  interface Names {
    InetAddress address(String name) throws IOException;
  }

  static InetAddress choose(BackendContext context, boolean oneHost) {
    return choose(context, oneHost, InetAddress::getByName);
  }

  static InetAddress choose(BackendContext context, boolean oneHost, Names names) {
    String network = context.hints().getOrDefault("tcp.address", "");
    if (!network.isBlank()) {
      return inNetwork(network.strip());
    }
    String named = context.hints().getOrDefault("tcp.interface", "");
    if (!named.isBlank()) {
      return ofInterface(named.strip());
    }
    if (oneHost) {
      return InetAddress.getLoopbackAddress();
    }
    String master = Setting.MASTER_ADDR.in(context.environment()).text();
    return (master.isBlank() ? Optional.<InetAddress>empty() : towards(master, names))
        .or(() -> towards(ANYWHERE, names))
        .or(() -> first(address -> !address.isLinkLocalAddress()))
        .or(() -> first(_ -> true))
        .orElseGet(InetAddress::getLoopbackAddress);
  }

  private static Optional<InetAddress> towards(String host, Names names) {
    try {
      MasterAddress there = new MasterAddress(host, names.address(host));
      if (there.isOwnName()) {
        return Optional.empty();
      }
      InetAddress own = there.reachable();
      return own.isAnyLocalAddress() ? Optional.empty() : Optional.of(own);
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // no route, or no such name
    }
  }

  private static Optional<InetAddress> first(Predicate<InetAddress> wanted) {
    return all().stream().filter(a -> !a.isLoopbackAddress()).filter(wanted).findFirst();
  }

  private static InetAddress ofInterface(String name) {
    try {
      NetworkInterface found = NetworkInterface.getByName(name);
      return found.inetAddresses().findFirst().orElseThrow();
    } catch (SocketException | RuntimeException e) {
      throw new IllegalArgumentException(
          "hint tcp.interface=" + name + " is no interface with an address; there are " + names());
    }
  }

  private static InetAddress inNetwork(String hint) {
    int slash = hint.indexOf('/');
    try {
      InetAddress network = InetAddress.ofLiteral(slash < 0 ? hint : hint.substring(0, slash));
      int width = network.getAddress().length * Byte.SIZE;
      int prefix = slash < 0 ? width : Integer.parseInt(hint.substring(slash + 1));
      if (prefix < 0 || prefix > width) {
        throw new IllegalArgumentException("prefix=" + prefix);
      }
      return all().stream()
          .filter(own -> own.getAddress().length * Byte.SIZE == width)
          .filter(own -> head(own, width - prefix).equals(head(network, width - prefix)))
          .findFirst()
          .orElseThrow();
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "hint tcp.address="
              + hint
              + " is neither an address of this host, which has "
              + all()
              + ", nor a network it is in",
          e);
    }
  }

  private static BigInteger head(InetAddress address, int tail) {
    return new BigInteger(1, address.getAddress()).shiftRight(tail);
  }

  /** Of interfaces that are up, IPv4 first. */
  private static List<InetAddress> all() {
    return interfaces().stream()
        .flatMap(NetworkInterface::inetAddresses)
        .sorted(java.util.Comparator.comparing(a -> a.getAddress().length))
        .toList();
  }

  private static String names() {
    return interfaces().stream().map(NetworkInterface::getName).toList().toString();
  }

  private static List<NetworkInterface> interfaces() {
    try {
      return NetworkInterface.networkInterfaces().filter(LocalAddress::isUp).toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  private static boolean isUp(NetworkInterface of) {
    try {
      return of.isUp();
    } catch (SocketException e) {
      return false;
    }
  }
}
