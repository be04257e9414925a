package dev.jcomms.testkit;

import dev.jcomms.testkit.store.Clients;
import dev.jcomms.testkit.store.StoreScenario;
import dev.jcomms.testkit.store.StoreScenarios;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What a store must do, and how it did, without JUnit. A store's own tests extend {@link
 * StoreConformance} instead.
 */
public final class StoreChecks {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private StoreChecks() {}

  /** The names of all scenarios. */
  public static List<String> scenarios() {
    return StoreScenarios.all().map(StoreScenario::name).toList();
  }

  /**
   * Runs scenarios, each on a content of its own.
   *
   * @param filter which of them, by name
   * @param listener told each result as it comes
   */
  public static List<Result> run(
      Supplier<? extends StoreSource> sources,
      Predicate<String> filter,
      Consumer<Result> listener) {
    List<Result> results = new ArrayList<>();
    StoreScenarios.all()
        .filter(scenario -> filter.test(scenario.name()))
        .forEach(
            scenario -> {
              Result result = run(sources, scenario);
              results.add(result);
              listener.accept(result);
            });
    return results;
  }

  private static Result run(Supplier<? extends StoreSource> sources, StoreScenario scenario) {
    long start = System.nanoTime();
    try (StoreSource source = sources.get()) {
      return scenario
          .inapplicable(source.hasQueues())
          .map(why -> result(scenario, Result.Outcome.SKIPPED, why, start, null))
          .orElseGet(() -> attempt(source, scenario, start));
    }
  }

  private static Result attempt(StoreSource source, StoreScenario scenario, long start) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              try (Clients clients = new Clients(source)) {
                scenario.body().run(clients);
              }
              return null;
            });
    Thread thread = Thread.ofPlatform().daemon().name("store-check").start(task);
    try {
      task.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      return result(scenario, Result.Outcome.PASSED, "", start, null);
    } catch (ExecutionException e) {
      Throwable failure = e.getCause();
      String message =
          failure instanceof ConformanceError ? failure.getMessage() : failure.toString();
      return result(scenario, Result.Outcome.FAILED, message, start, failure);
    } catch (TimeoutException e) {
      thread.interrupt();
      String message = "has not ended after " + DEADLINE.toSeconds() + " s";
      return result(scenario, Result.Outcome.FAILED, message, start, e);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return result(scenario, Result.Outcome.FAILED, "the check was interrupted", start, e);
    }
  }

  private static Result result(
      StoreScenario scenario, Result.Outcome outcome, String message, long start, Throwable cause) {
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    return new Result(scenario.name(), 1, outcome, message, time, Optional.ofNullable(cause));
  }
}
