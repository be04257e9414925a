package dev.jcomms.testkit;

import java.util.Arrays;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Patterns of scenario names: {@code *} stands for anything, case does not matter. */
public final class Glob {
  private Glob() {}

  /** Whether a whole name fits the pattern. */
  public static Predicate<String> of(String pattern) {
    String regex =
        Arrays.stream(pattern.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE).asMatchPredicate();
  }
}
