package dev.jcomms.testkit;

import java.time.Duration;
import java.util.List;

/**
 * Less time for each operation once a backend has failed some scenarios: what hangs every time must
 * not make the whole check last for hours. Counted from results alone, so that processes agree.
 */
final class Patience {
  private record Step(int failures, Duration most) {}

  private static final List<Step> STEPS =
      List.of(new Step(20, Duration.ofMillis(500)), new Step(3, Duration.ofSeconds(2)));

  private int failures;

  /** The subject with as much time as is left for it. */
  Subject with(Subject subject) {
    for (Step step : STEPS) {
      if (failures >= step.failures() && subject.timeout().compareTo(step.most()) > 0) {
        return subject.withTimeout(step.most());
      }
    }
    return subject;
  }

  void note(Result result) {
    if (result.isFailed()) {
      failures++;
    }
  }
}
