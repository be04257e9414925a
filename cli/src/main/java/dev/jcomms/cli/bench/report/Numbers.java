package dev.jcomms.cli.bench.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers as tables show them: about four digits, whatever the size. */
public final class Numbers {
  private Numbers() {}

  /** Microseconds or gigabytes a second. */
  public static String of(double value) {
    if (value == 0) return "0.00";
    int digits = value < 0.1 ? 4 : value < 1 ? 3 : value < 100 ? 2 : value < 10_000 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  static String of(OptionalDouble value) {
    return value.isPresent() ? of(value.getAsDouble()) : "-";
  }

  /** A part of a whole, in percent. */
  static String percent(OptionalDouble part) {
    if (part.isEmpty()) return "-";
    double percent = 100 * part.getAsDouble();
    return String.format(Locale.ROOT, percent < 10 ? "%.1f" : "%.0f", percent);
  }

  /** A size for people: {@code 8 B}, {@code 64 KiB}, {@code 1.5 MiB}. */
  public static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    String number =
        value == Math.rint(value)
            ? Long.toString((long) value)
            : String.format(Locale.ROOT, "%.1f", value);
    return number + " " + units[unit];
  }
}
