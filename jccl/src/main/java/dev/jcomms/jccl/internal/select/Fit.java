package dev.jcomms.jccl.internal.select;

import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Request;
import java.util.Optional;

/** Whether an algorithm is for a request at all, as far as it says so itself. */
public final class Fit {
  private Fit() {}

  /** Why not; empty if it is. All ranks come to the same answer. */
  public static Optional<String> refusal(Algorithm algorithm, Choice choice, Request request) {
    requireParameters(algorithm, choice);
    Algorithm.Constraint constraint = algorithm.constraint();
    if (constraint.world() > 0 && constraint.world() != request.world()) {
      return Optional.of(
          "it is for %d ranks; the communicator has %d"
              .formatted(constraint.world(), request.world()));
    }
    if (constraint.ranksPerHost() > 0 && constraint.ranksPerHost() != request.ranksPerHost()) {
      return Optional.of(
          "it is for %d ranks a host; here are %s"
              .formatted(
                  constraint.ranksPerHost(),
                  request.ranksPerHost() == 0 ? "hosts that differ" : request.ranksPerHost()));
    }
    if (request.bytes() < algorithm.minBytes() || request.bytes() > algorithm.maxBytes()) {
      return Optional.of(
          "bytes=%d are outside its range %d to %d"
              .formatted(request.bytes(), algorithm.minBytes(), algorithm.maxBytes()));
    }
    return algorithm.refuses(request);
  }

  static void requireParameters(Algorithm algorithm, Choice choice) {
    for (String name : choice.parameters().keySet()) {
      if (!algorithm.parameters().containsKey(name)) {
        throw new IllegalArgumentException(
            "algorithm '%s' has no parameter '%s'; it has %s"
                .formatted(algorithm.name(), name, algorithm.parameters().keySet()));
      }
    }
  }
}
