package dev.jcomms.testkit.scenario;

import dev.jcomms.testkit.Scenario;
import dev.jcomms.testkit.Tier;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All scenarios there are, cheap ones first. */
public final class Scenarios {
  private static final List<Supplier<Stream<Scenario>>> AREAS =
      List.of(
          TransportScenarios::all,
          SplitSizesScenarios::all,
          ReductionScenarios::all,
          ArithmeticScenarios::all,
          RepeatScenarios::all,
          OverlapScenarios::all,
          PointToPointScenarios::all,
          BarrierScenarios::all,
          OrderScenarios::all,
          TimeoutScenarios::all,
          MismatchScenarios::all,
          SplitScenarios::all,
          LifecycleScenarios::all,
          WorkScenarios::all,
          AbortScenarios::all,
          BitsScenarios::all,
          ArgumentScenarios::all,
          ObjectScenarios::all,
          GraphScenarios::all,
          HookScenarios::all,
          ReconfigureScenarios::all,
          WindowScenarios::all,
          SymmetricScenarios::all);

  private Scenarios() {}

  /** The scenarios up to a tier, those that belong to a higher one left out. */
  public static Stream<Scenario> all(Tier tier) {
    return AREAS.stream()
        .flatMap(Supplier::get)
        .filter(scenario -> scenario.tier().compareTo(tier) <= 0);
  }
}
