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

  private static final ClassValue<Integer> PLACES =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> kind) {
          return KINDS.indexOf(kind);
        }
      };

  // Known without being looked up: these are called most, for a few bytes.
  private static final int ALL_REDUCE = KINDS.indexOf(Collective.AllReduce.class);
  private static final int BROADCAST = KINDS.indexOf(Collective.Broadcast.class);
  private static final int ALL_GATHER = KINDS.indexOf(Collective.AllGatherSingle.class);
  private static final int REDUCE_SCATTER = KINDS.indexOf(Collective.ReduceScatterSingle.class);
  private static final int ALL_TO_ALL = KINDS.indexOf(Collective.AllToAllSingle.class);

  private OpNames() {}

  static int place(Collective op) {
    if (op instanceof Collective.AllReduce) {
      return ALL_REDUCE;
    }
    if (op instanceof Collective.Broadcast) {
      return BROADCAST;
    }
    if (op instanceof Collective.AllGatherSingle) {
      return ALL_GATHER;
    }
    if (op instanceof Collective.ReduceScatterSingle) {
      return REDUCE_SCATTER;
    }
    return op instanceof Collective.AllToAllSingle ? ALL_TO_ALL : PLACES.get(op.getClass());
  }

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
