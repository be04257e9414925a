package dev.jcomms.cli.bench.measure;

import dev.jcomms.Setting;
import dev.jcomms.spi.MasterAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where ranks are, as far as plain sockets between them go. */
final class Hosts {
  /** Reserved for documentation: there is a route to it if there is one to the world. */
  private static final String ANYWHERE = "198.51.100.1";

  private Hosts() {}

  /** Whether all ranks are on this host, whoever has started them. Collective. */
  static boolean isOne(Together together) {
    return together.isAlike(1 + Integer.toUnsignedLong(identity().hashCode()));
  }

  /** The kernel's boot id and the network it shows this process: host names lie. */
  private static String identity() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
          + Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
    } catch (IOException e) {
      return localHost().toString();
    }
  }

  /**
   * An address of this host that the others reach: the one on the way to where the ranks met,
   * unless that is this host by a loopback name, as Debian has it; else the one to anywhere.
   */
  static InetAddress address(Map<String, String> environment) {
    String master = Setting.MASTER_ADDR.in(environment).text();
    return towards(master).or(() -> towards(ANYWHERE)).orElseGet(Hosts::localHost);
  }

  private static Optional<InetAddress> towards(String host) {
    if (host.isEmpty()) return Optional.empty();
    try {
      InetAddress own = MasterAddress.of(host).reachable();
      return own.isLoopbackAddress() || own.isAnyLocalAddress()
          ? Optional.empty()
          : Optional.of(own);
    } catch (IOException e) {
      return Optional.empty(); // no route, or no such name
    }
  }

  private static InetAddress localHost() {
    try {
      return InetAddress.getLocalHost();
    } catch (IOException e) {
      throw new UncheckedIOException("this host has no address", e);
    }
  }
}
