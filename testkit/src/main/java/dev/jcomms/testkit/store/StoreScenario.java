package dev.jcomms.testkit.store;

import java.util.Optional;

/**
 * One thing that a store must do.
 *
 * @param queues whether it is about stores with queues, or those without: skipped on the others
 */
public record StoreScenario(String name, Queues queues, Body body) {
  /** Which stores a scenario is about. */
  public enum Queues {
    ANY,
    WITH,
    WITHOUT
  }

  /** What is done with clients of one content. */
  @FunctionalInterface
  public interface Body {
    void run(Clients clients) throws Exception;
  }

  StoreScenario(String name, Body body) {
    this(name, Queues.ANY, body);
  }

  /** Why it does not apply to a store, if it does not. */
  public Optional<String> inapplicable(boolean hasQueues) {
    return switch (queues) {
      case ANY -> Optional.empty();
      case WITH -> hasQueues ? Optional.empty() : Optional.of("the store has no queues");
      case WITHOUT -> hasQueues ? Optional.of("the store has queues") : Optional.empty();
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
