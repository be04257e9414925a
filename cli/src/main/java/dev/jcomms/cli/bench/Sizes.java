package dev.jcomms.cli.bench;

import dev.jcomms.cli.CliException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The sizes to measure: from one to another, by a factor or by a step. */
public final class Sizes {
  /** More rows than anybody reads. */
  private static final int MOST = 10_000;

  /** Low enough to reckon with. */
  private static final long LARGEST = 1L << 42;

  private Sizes() {}

  /** A number of bytes, with {@code K}, {@code M} or {@code G} for powers of 1024. */
  public static long parse(String option, String text) {
    String trimmed = text.toUpperCase(Locale.ROOT).replaceFirst("(?<=[KMG])(I?B)$", "");
    int shift =
        switch (trimmed.isEmpty() ? ' ' : trimmed.charAt(trimmed.length() - 1)) {
          case 'K' -> 10;
          case 'M' -> 20;
          case 'G' -> 30;
          default -> 0;
        };
    String digits = shift == 0 ? trimmed : trimmed.substring(0, trimmed.length() - 1);
    if (!digits.matches("0*[1-9][0-9]{0,12}")) {
      throw CliException.usage(
          "%s %s is not a size; give a positive number of bytes, with K, M or G if you like"
              .formatted(option, text));
    }
    long number = Long.parseLong(digits);
    if (number > LARGEST >> shift) {
      throw CliException.usage("%s %s is more than any machine has".formatted(option, text));
    }
    return number << shift;
  }

  /** {@code least}, then ever larger by {@code factor}, up to {@code most}. */
  public static List<Long> byFactor(long least, long most, int factor) {
    check(least, most);
    if (factor < 2) throw CliException.usage("-f " + factor + " is below 2: sizes would not grow");
    List<Long> sizes = new ArrayList<>();
    sizes.add(least);
    while (sizes.getLast() <= most / factor) sizes.add(sizes.getLast() * factor);
    return sizes;
  }

  /** {@code least}, then ever larger by {@code step}, up to {@code most}. */
  static List<Long> byStep(long least, long most, long step) {
    check(least, most);
    if ((most - least) / step >= MOST) {
      throw CliException.usage(
          "-i %d makes more than %d sizes of -b %d -e %d".formatted(step, MOST, least, most));
    }
    List<Long> sizes = new ArrayList<>();
    for (long size = least; size <= most; size += step) sizes.add(size);
    return sizes;
  }

  private static void check(long least, long most) {
    if (least > most) {
      throw CliException.usage("-b %d is above -e %d: there is no size".formatted(least, most));
    }
  }
}
