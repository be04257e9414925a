package dev.jcomms.testkit;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * How one scenario went in a world of one size.
 *
 * @param message why it failed or was skipped; empty if it passed
 * @param failure what the first rank to fail threw, where it failed in this process
 */
public record Result(
    String scenario,
    int size,
    Outcome outcome,
    String message,
    Duration time,
    Optional<Throwable> failure) {

  /** How a scenario can end. */
  public enum Outcome {
    PASSED,
    FAILED,
    /**
     * The backend does not claim to have what the scenario is about, or its author has blocked it.
     */
    SKIPPED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Result passed(Scenario scenario, int size, Duration time) {
    return new Result(scenario.name(), size, Outcome.PASSED, "", time, Optional.empty());
  }

  static Result skipped(Scenario scenario, int size, String why) {
    return new Result(scenario.name(), size, Outcome.SKIPPED, why, Duration.ZERO, Optional.empty());
  }

  /** Whether it failed. */
  public boolean isFailed() {
    return outcome == Outcome.FAILED;
  }

  /** {@code failed all_reduce/f32 [n=4]: rank 2 of 4: …}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-7s %s [n=%d]%s",
        outcome,
        scenario,
        size,
        message.isEmpty() ? "" : ": " + message);
  }
}
