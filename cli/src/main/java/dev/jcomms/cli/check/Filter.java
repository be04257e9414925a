package dev.jcomms.cli.check;

import dev.jcomms.testkit.Glob;
import java.util.Locale;
import java.util.function.Predicate;

/** What {@code --filter} takes: a whole name with * for anything, or a part of one. */
final class Filter {
  private Filter() {}

  static Predicate<String> of(String text) {
    String part = text.toLowerCase(Locale.ROOT);
    return text.contains("*")
        ? Glob.of(text)
        : name -> name.toLowerCase(Locale.ROOT).contains(part);
  }
}
