package dev.jcomms.jccl.internal.select;

import dev.jcomms.OpOptions;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Request;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * What a request gets: the first of some choices that was not found infeasible, and what was found
 * out about it. One thread at a time.
 */
final class Decision {
  static final String HINT = "algorithm";

  private final AlgorithmCollection algorithms;
  private final Request request;
  private final List<Choice> choices;
  private int at;

  /** Of the choice; null if it is left to the engine. */
  private Algorithm algorithm;

  private Contexts.Context context;
  private OpOptions given;
  private OpOptions forced;
  private Duration freeTimeout;
  private OpOptions free;

  private Decision(AlgorithmCollection algorithms, Request request, List<Choice> choices) {
    this.algorithms = algorithms;
    this.request = request;
    this.choices = choices;
    this.algorithm = find();
  }

  /** What selectors say, in their order, and at last the engine's own choice. */
  static Decision of(AlgorithmCollection algorithms, List<Selector> selectors, Request request) {
    LinkedHashSet<Choice> choices = new LinkedHashSet<>();
    selectors.forEach(selector -> selector.select(request).ifPresent(choices::add));
    choices.add(Choice.AUTO);
    return new Decision(algorithms, request, List.copyOf(choices));
  }

  /** What a hint says, and nothing else. */
  static Decision forced(AlgorithmCollection algorithms, Choice choice, Request request) {
    return new Decision(algorithms, request, List.of(choice));
  }

  private Algorithm find() {
    Choice choice = choice();
    if (choice.equals(Choice.AUTO)) {
      return null;
    }
    Algorithm found = algorithms.get(request.collective(), choice.algorithm());
    Fit.requireParameters(found, choice);
    return found;
  }

  Request request() {
    return request;
  }

  Choice choice() {
    return choices.get(at);
  }

  Algorithm algorithm() {
    return algorithm;
  }

  /** What the algorithm has prepared; null until then. */
  Contexts.Context context() {
    return context;
  }

  void context(Contexts.Context prepared) {
    context = prepared;
  }

  /** The choice is infeasible: on to the next. */
  void next() {
    at++;
    given = null;
    context = null;
    algorithm = find();
  }

  /** Options that say no more than how long; the same ones for the same time. */
  OpOptions free(Duration timeout) {
    if (free == null || !timeout.equals(freeTimeout)) {
      freeTimeout = timeout;
      free = OpOptions.timeout(timeout);
    }
    return free;
  }

  /** The options with the choice as a hint: what facts, and the engine, know it by. */
  OpOptions forced(OpOptions options) {
    if (options != given) {
      given = options;
      forced = options.withHint(HINT, choice().toString());
    }
    return forced;
  }
}
