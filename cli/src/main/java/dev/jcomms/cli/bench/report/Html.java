package dev.jcomms.cli.bench.report;

import java.util.Locale;

/** Small pieces of a page. */
public final class Html {
  private Html() {}

  /** Text as it is to be read. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** A shape for each library, so that colour is not all that tells them apart. */
  static String marker(String style) {
    return switch (style) {
      case "openmpi" -> "<rect x=\"-3.2\" y=\"-3.2\" width=\"6.4\" height=\"6.4\"/>";
      case "gloo" -> "<path d=\"M0-4.4L4.4 0L0 4.4L-4.4 0Z\"/>";
      default -> "<circle r=\"3.4\"/>";
    };
  }

  /** Microseconds, in the unit that reads best. */
  static String time(double micros) {
    if (micros < 1) return number(micros * 1e3) + " ns";
    if (micros < 1e3) return number(micros) + " \u00b5s";
    return micros < 1e6 ? number(micros / 1e3) + " ms" : number(micros / 1e6) + " s";
  }

  static String bandwidth(double gigabytes) {
    return gigabytes < 1e-3
        ? number(gigabytes * 1e6) + " kB/s"
        : gigabytes < 1 ? number(gigabytes * 1e3) + " MB/s" : number(gigabytes) + " GB/s";
  }

  /** Three digits, without zeros that say nothing. */
  private static String number(double value) {
    int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    String text = String.format(Locale.ROOT, "%." + digits + "f", value);
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }
}
