package dev.jcomms.testkit;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * The conformance kit as a JUnit test, one test per scenario and world size:
 *
 * <pre>{@code
 * final class ZeroConformanceTest extends BackendConformance {
 *   @Override protected String backend() { return "zero"; }
 * }
 * }</pre>
 *
 * <p>What the backend does not claim to have is reported as skipped, with the reason. Ranks are
 * threads of the test's JVM.
 */
public abstract class BackendConformance {
  /** For subclasses. */
  protected BackendConformance() {}

  /** The backend's name. */
  protected abstract String backend();

  /** How much is tried; the system property {@code jcomms.check.tier} unless overridden. */
  protected Tier tier() {
    return Tier.parse(System.getProperty("jcomms.check.tier", "quick"));
  }

  /** The world sizes. */
  protected List<Integer> worldSizes() {
    return Conformance.WORLD_SIZES;
  }

  /** Where tensors are to be. */
  protected Memory memory() {
    return Memory.HOST;
  }

  /** How far rounded results may be off. */
  protected Tolerance tolerance() {
    return Tolerance.DEFAULT;
  }

  /** Scenarios not to be run, by pattern of names, with the reason. */
  protected Map<String, String> blocked() {
    return Map.of();
  }

  /** Everything said above, together; override it to say more. */
  protected Subject subject() {
    Subject subject =
        Subject.of(backend()).withTier(tier()).withMemory(memory()).withTolerance(tolerance());
    for (Map.Entry<String, String> entry : blocked().entrySet()) {
      subject = subject.withBlocked(entry.getKey(), entry.getValue());
    }
    return subject;
  }

  /** One test per world size and scenario. */
  // Whoever subclasses this has JUnit at hand; nobody else should need it to compile.
  @SuppressWarnings("exports")
  @TestFactory
  public final Stream<DynamicNode> conforms() {
    Subject subject = subject();
    Abilities abilities = Abilities.of(subject);
    Patience patience = new Patience();
    return worldSizes().stream()
        .map(
            size ->
                dynamicContainer(
                    "n=" + size,
                    Conformance.scenarios(subject.tier()).stream()
                        .map(
                            scenario ->
                                dynamicTest(
                                    scenario.name(),
                                    () -> check(subject, abilities, patience, size, scenario)))));
  }

  private static void check(
      Subject subject, Abilities abilities, Patience patience, int size, Scenario scenario) {
    Result result;
    try (Ranks ranks = Ranks.threads(size)) {
      result = Conformance.run(subject, abilities, patience, ranks, scenario);
    }
    switch (result.outcome()) {
      case PASSED -> {}
      case SKIPPED -> Assumptions.abort(result.message());
      case FAILED ->
          throw new ConformanceError(
              scenario.name() + " [n=" + size + "]: " + result.message(),
              result.failure().orElse(null));
    }
  }
}
