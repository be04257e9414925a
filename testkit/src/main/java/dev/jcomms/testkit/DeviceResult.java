package dev.jcomms.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * How the cases of one operator went on a device.
 *
 * @param name the operator, {@code add.Tensor}, or the rule of memory that was looked at
 * @param passed cases that gave what the cpu gives
 * @param blocked cases that were left out
 * @param failures the others: the case, what came, what should have
 */
public record DeviceResult(
    String name, int passed, int blocked, List<String> failures, Duration time) {
  private static final int SHOWN = 20;

  public DeviceResult {
    failures = List.copyOf(failures);
  }

  public boolean isFailed() {
    return !failures.isEmpty();
  }

  /** Whether nothing was tried. */
  public boolean isSkipped() {
    return failures.isEmpty() && passed == 0;
  }

  /** The failures, the first of them if they are many. */
  public String message() {
    String shown = String.join("\n  ", failures.subList(0, Math.min(SHOWN, failures.size())));
    return name
        + ": "
        + failures.size()
        + " of "
        + (failures.size() + passed)
        + " cases differ from the cpu\n  "
        + shown
        + (failures.size() > SHOWN ? "\n  and " + (failures.size() - SHOWN) + " more" : "");
  }

  /** {@code passed add.Tensor: 211 cases}. */
  @Override
  public String toString() {
    return isFailed()
        ? "failed  " + message()
        : String.format(
            Locale.ROOT,
            "%-7s %s: %d cases%s",
            isSkipped() ? "skipped" : "passed",
            name,
            passed,
            blocked == 0 ? "" : ", " + blocked + " blocked");
  }
}
