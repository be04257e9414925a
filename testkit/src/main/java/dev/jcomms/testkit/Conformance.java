package dev.jcomms.testkit;

import dev.jcomms.testkit.scenario.Scenarios;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The conformance kit without JUnit: what a backend must do, and how it did. Any thread; a run
 * returns when all of it is done.
 *
 * <p>A backend's own tests extend {@link BackendConformance} instead.
 */
public final class Conformance {
  /** World sizes with odd ones among them, which rings and trees get wrong first. */
  public static final List<Integer> WORLD_SIZES = List.of(1, 2, 3, 4, 7, 8);

  private Conformance() {}

  /** Everything a backend must do, as far as a tier goes. */
  public static List<Scenario> scenarios(Tier tier) {
    return Scenarios.all(tier).filter(scenario -> scenario.tier().compareTo(tier) <= 0).toList();
  }

  /**
   * Runs scenarios on ranks that are threads of this JVM, in worlds of these sizes.
   *
   * @param filter which of them
   * @param listener told each result as it comes
   */
  public static List<Result> run(
      Subject subject,
      Collection<Integer> sizes,
      Predicate<Scenario> filter,
      Consumer<Result> listener) {
    Abilities abilities = Abilities.of(subject);
    Patience patience = new Patience();
    List<Result> results = new ArrayList<>();
    for (int size : sizes) {
      try (Ranks ranks = Ranks.threads(size)) {
        results.addAll(runAll(subject, abilities, patience, ranks, filter, listener));
      }
    }
    return results;
  }

  /**
   * Runs scenarios on ranks that are processes. Called in each of them, which find each other by
   * the environment; every one gets the same results.
   *
   * @param listener told each result as it comes
   */
  public static List<Result> runAsRank(
      Subject subject,
      Map<String, String> environment,
      Predicate<Scenario> filter,
      Consumer<Result> listener) {
    try (Ranks ranks = ProcessRanks.join(environment)) {
      return runAll(subject, Abilities.of(subject), new Patience(), ranks, filter, listener);
    }
  }

  /** Runs one scenario, unless there is a reason not to. */
  static Result run(
      Subject subject, Abilities abilities, Patience patience, Ranks ranks, Scenario scenario) {
    Optional<String> reason =
        subject
            .whyBlocked(scenario.name())
            .or(() -> scenario.needs().lacking(subject, abilities, ranks.size()));
    Result result =
        reason
            .map(why -> Result.skipped(scenario, ranks.size(), why))
            .orElseGet(() -> ranks.run(patience.with(subject), abilities, scenario));
    patience.note(result);
    return result;
  }

  private static List<Result> runAll(
      Subject subject,
      Abilities abilities,
      Patience patience,
      Ranks ranks,
      Predicate<Scenario> filter,
      Consumer<Result> listener) {
    List<Result> results = new ArrayList<>();
    for (Scenario scenario : scenarios(subject.tier())) {
      if (filter.test(scenario)) {
        Result result = run(subject, abilities, patience, ranks, scenario);
        results.add(result);
        listener.accept(result);
      }
    }
    return results;
  }
}
