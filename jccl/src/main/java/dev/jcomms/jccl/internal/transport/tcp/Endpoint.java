package dev.jcomms.jccl.internal.transport.tcp;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Where a rank listens. Never a name: nothing here asks a name server. */
record Endpoint(InetAddress address, int port) {

  /** One line, for the store. An interface's number means nothing elsewhere, so it stays here. */
  String encode() {
    return literal() + " " + port;
  }

  /**
   * What {@link #encode} wrote, as this host reaches it.
   *
   * @param own this rank's address: a link-local peer is on the same link
   */
  static Endpoint decode(String line, InetAddress own) {
    String[] parts = line.split(" ");
    try {
      InetAddress address = InetAddress.ofLiteral(parts[0]);
      if (address.isLinkLocalAddress()
          && address instanceof Inet6Address
          && own instanceof Inet6Address on) {
        address = Inet6Address.getByAddress(null, address.getAddress(), on.getScopeId());
      }
      return new Endpoint(address, Integer.parseInt(parts[1]));
    } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("not an endpoint: '" + line + "'", e);
    }
  }

  InetSocketAddress socket() {
    return new InetSocketAddress(address, port);
  }

  private String literal() {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }

  /** {@code 10.0.0.7:41822}, {@code [fe80::1]:41822}. */
  @Override
  public String toString() {
    return (address instanceof Inet6Address ? "[" + literal() + "]" : literal()) + ":" + port;
  }
}
