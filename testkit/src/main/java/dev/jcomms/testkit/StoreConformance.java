package dev.jcomms.testkit;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * What every store must do, as a JUnit test: a subclass says how to make one.
 *
 * <pre>{@code
 * final class HashStoreConformanceTest extends StoreConformance {
 *   @Override protected StoreSource source() {
 *     HashStore store = HashStore.create();
 *     return () -> store;
 *   }
 * }
 * }</pre>
 */
public abstract class StoreConformance {
  /** For subclasses. */
  protected StoreConformance() {}

  /** A new, empty content; called for each scenario. */
  protected abstract StoreSource source();

  /** One test per scenario. */
  // Whoever subclasses this has JUnit at hand; nobody else should need it to compile.
  @SuppressWarnings("exports")
  @TestFactory
  public final Stream<DynamicNode> conforms() {
    return StoreChecks.scenarios().stream().map(name -> dynamicTest(name, () -> check(name)));
  }

  private void check(String name) {
    Result result = StoreChecks.run(this::source, name::equals, _ -> {}).getFirst();
    switch (result.outcome()) {
      case PASSED -> {}
      case SKIPPED -> Assumptions.abort(result.message());
      case FAILED ->
          throw new ConformanceError(name + ": " + result.message(), result.failure().orElse(null));
    }
  }
}
