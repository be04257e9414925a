package dev.jcomms.testkit.store;

import java.util.stream.Stream;

/** All scenarios of stores. */
public final class StoreScenarios {
  private StoreScenarios() {}

  /** In the order of their areas. */
  public static Stream<StoreScenario> all() {
    return Stream.of(ValueScenarios.all(), WaitScenarios.all(), SharedScenarios.all())
        .flatMap(area -> area);
  }
}
