package dev.jcomms.testkit.scenario;

import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Rank;
import java.util.Objects;

/** Expectations that are not about the elements of one call. */
final class Expect {
  private Expect() {}

  /** What a call throws, which must be of this type. */
  static <E extends Throwable> E thrown(Rank rank, String what, Class<E> type, Runnable call) {
    try {
      call.run();
    } catch (Throwable t) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
      throw new ConformanceError(
          rank + ": " + what + " must fail with " + type.getSimpleName() + "; it failed with " + t,
          t);
    }
    throw new ConformanceError(
        rank + ": " + what + " must fail with " + type.getSimpleName() + "; it returned");
  }

  /** That a message tells what is needed to act on it. */
  static void says(Rank rank, String what, Throwable error, String... facts) {
    for (String fact : facts) {
      if (!String.valueOf(error.getMessage()).contains(fact)) {
        throw new ConformanceError(
            rank + ": " + what + ": the error does not say '" + fact + "': " + error, error);
      }
    }
  }

  static void equal(Rank rank, String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new ConformanceError(
          rank + ": " + what + " is " + actual + "; it should be " + expected);
    }
  }

  static void that(Rank rank, boolean holds, String otherwise) {
    if (!holds) {
      throw new ConformanceError(rank + ": " + otherwise);
    }
  }
}
