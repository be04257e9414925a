package dev.jcomms.testkit;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.jcomms.tensor.Device;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * The conformance kit for devices as a JUnit test, one test per operator:
 *
 * <pre>{@code
 * final class TinyConformanceTest extends DeviceConformance {
 *   @Override protected Device device() { return Device.of("tiny"); }
 * }
 * }</pre>
 */
public abstract class DeviceConformance {
  /** For subclasses. */
  protected DeviceConformance() {}

  /** Where tensors are put; its provider and kernels are registered when the test runs. */
  protected abstract Device device();

  /** How much is tried; the system property {@code jcomms.check.tier} unless overridden. */
  protected Tier tier() {
    return Tier.parse(System.getProperty("jcomms.check.tier", "quick"));
  }

  /** How far results may be off. */
  protected OperatorTolerance tolerance() {
    return OperatorTolerance.DEFAULT;
  }

  /** Cases not to be run, by pattern of names, with the reason. */
  protected Map<String, String> blocked() {
    return Map.of();
  }

  /** Everything said above, together; override it to say more. */
  protected DeviceSubject subject() {
    DeviceSubject subject = DeviceSubject.of(device()).withTier(tier()).withTolerance(tolerance());
    for (Map.Entry<String, String> entry : blocked().entrySet()) {
      subject = subject.withBlocked(entry.getKey(), entry.getValue());
    }
    return subject;
  }

  /** One test per operator, and per rule of memory. */
  // Whoever subclasses this has JUnit at hand; nobody else should need it to compile.
  @SuppressWarnings("exports")
  @TestFactory
  public final Stream<DynamicNode> conforms() {
    DeviceSubject subject = subject();
    return DeviceChecks.names().stream()
        .map(name -> dynamicTest(name, () -> check(DeviceChecks.run(subject, name))));
  }

  private static void check(DeviceResult result) {
    if (result.isFailed()) {
      throw new ConformanceError(result.message());
    }
    Assumptions.assumeFalse(result.isSkipped(), "blocked");
  }
}
