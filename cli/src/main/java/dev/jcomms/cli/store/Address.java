package dev.jcomms.cli.store;

import dev.jcomms.cli.CliException;

/** {@code HOST:PORT} as users write it; an IPv6 address stands in brackets. */
record Address(String host, int port) {

  static Address parse(String option, String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.contains(":")) {
      throw wrong(option, text);
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (!host.isEmpty() && port >= 0 && port < 65536) return new Address(host, port);
    } catch (NumberFormatException e) {
      // told below
    }
    throw wrong(option, text);
  }

  private static CliException wrong(String option, String text) {
    return CliException.usage(
        "%s=%s is not HOST:PORT, as in 127.0.0.1:29500 or [::1]:29500".formatted(option, text));
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
