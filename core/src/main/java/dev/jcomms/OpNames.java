package dev.jcomms;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The kinds of operation and their names, derived from the sealed types: no list to keep in step.
 */
final class OpNames {
  static final List<Class<? extends Collective>> KINDS =
      records(Collective.class).distinct().sorted(Comparator.comparing(OpNames::derive)).toList();

  private static final ClassValue<String> NAMES =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> kind) {
          return derive(kind);
        }
      };

  private OpNames() {}

  static String of(Class<?> kind) {
    return NAMES.get(kind);
  }

  private static String derive(Class<?> kind) {
    return kind.getSimpleName().replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static Stream<Class<? extends Collective>> records(Class<?> sealed) {
    return Arrays.stream(sealed.getPermittedSubclasses())
        .flatMap(
            kind -> kind.isSealed() ? records(kind) : Stream.of(kind.asSubclass(Collective.class)));
  }
}
