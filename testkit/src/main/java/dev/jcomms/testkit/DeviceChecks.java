package dev.jcomms.testkit;

import dev.jcomms.testkit.operator.DeviceRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The conformance kit for devices, without JUnit: every operator is called with hundreds of
 * generated arguments on a device and on the cpu, and what comes is compared. Results, dtypes,
 * shapes, refusals, arguments written in place and gradients must be the same. Any thread; a run
 * returns when all of it is done.
 *
 * <p>A device's own tests extend {@link DeviceConformance} instead.
 */
public final class DeviceChecks {
  private DeviceChecks() {}

  /** What is looked at: rules of memory, then operators that have cases, by name. */
  public static List<String> names() {
    return DeviceRun.names();
  }

  /**
   * Runs what the filter takes.
   *
   * @param listener told each result as it comes
   */
  public static List<DeviceResult> run(
      DeviceSubject subject, Predicate<String> filter, Consumer<DeviceResult> listener) {
    List<DeviceResult> results = new ArrayList<>();
    for (String name : names()) {
      if (filter.test(name)) {
        DeviceResult result = run(subject, name);
        results.add(result);
        listener.accept(result);
      }
    }
    return results;
  }

  /** Runs one of {@link #names}. */
  public static DeviceResult run(DeviceSubject subject, String name) {
    return DeviceRun.run(subject, name);
  }
}
