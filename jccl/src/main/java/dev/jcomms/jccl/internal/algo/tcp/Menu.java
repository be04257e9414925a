package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.jccl.TuningRule.Measure;
import dev.jcomms.jccl.TuningRule.Memory;
import dev.jcomms.jccl.TuningRule.Row;
import dev.jcomms.jccl.internal.algo.UnsuitableException;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The algorithms for one collective, and which to take for what. Immutable; any thread.
 *
 * <p>The choice depends on what all ranks agree on: the task's kind and dtype, its bytes, the
 * number of ranks. Never on the rank.
 *
 * @param collective for messages: {@code all_reduce}
 * @param rules the first that applies is followed; the last one always does
 * @param all the algorithms, those included that are taken only when named
 */
record Menu<T extends Task<T>>(
    String collective, List<Rule<T>> rules, List<MessageAlgorithm<T>> all) {

  /** For up to so many bytes among up to so many ranks, this algorithm. */
  record Rule<T extends Task<T>>(long bytes, int ranks, MessageAlgorithm<T> algorithm) {}

  /**
   * What rows of a table say of these algorithms.
   *
   * @throws IllegalStateException if they say what no menu can, or not of everything
   */
  static <T extends Task<T>> Menu<T> of(
      String collective, List<Row> rows, List<MessageAlgorithm<T>> algorithms) {
    List<Rule<T>> rules = new ArrayList<>();
    for (Row row : rows) {
      MessageAlgorithm<T> named = null;
      for (MessageAlgorithm<T> algorithm : algorithms) {
        named = row.choice().isPlain(algorithm.name()) ? algorithm : named;
      }
      if (named == null
          || row.memory() != Memory.ANY
          || row.measure() != Measure.BUFFER
          || row.minBytes() > 0
          || row.minRanks() > 1) {
        throw new IllegalStateException("no menu of " + collective + " has " + row);
      }
      rules.add(new Rule<>(row.maxBytes(), row.maxRanks(), named));
    }
    if (rows.isEmpty() || !rows.getLast().isUnlimited()) {
      throw new IllegalStateException(collective + " has no algorithm for all the rest");
    }
    return new Menu<>(collective, List.copyOf(rules), algorithms);
  }

  /**
   * The algorithm for a task.
   *
   * @param named by a hint; null without one
   * @throws UnsuitableException if the one that is named does not exist or does not fit
   */
  MessageAlgorithm<T> choose(T task, long bytes, int ranks, String named) {
    if (named != null) {
      return named(task, ranks, named);
    }
    for (Rule<T> rule : rules) {
      if (bytes <= rule.bytes && ranks <= rule.ranks && rule.algorithm.fits(task, ranks)) {
        return rule.algorithm;
      }
    }
    throw new AssertionError(collective + " has no algorithm for " + bytes + " bytes");
  }

  private MessageAlgorithm<T> named(T task, int ranks, String named) {
    for (MessageAlgorithm<T> algorithm : all) {
      if (algorithm.name().equals(named) && algorithm.fits(task, ranks)) {
        return algorithm;
      }
    }
    boolean known = all.stream().anyMatch(algorithm -> algorithm.name().equals(named));
    String names =
        all.stream()
            .filter(algorithm -> algorithm.fits(task, ranks))
            .map(MessageAlgorithm::name)
            .sorted()
            .collect(Collectors.joining(", "));
    throw new UnsuitableException(
        "hint algorithm=%s: %s over TCP among %d ranks %s; there are %s"
            .formatted(
                named,
                collective,
                ranks,
                known ? "cannot use that for this" : "has none of that name",
                names));
  }

  /** Of all algorithms. */
  Set<String> names() {
    return all.stream().map(MessageAlgorithm::name).collect(Collectors.toCollection(TreeSet::new));
  }
}
