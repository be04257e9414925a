package dev.jcomms.jccl;

import dev.jcomms.jccl.internal.select.Builtins;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The algorithms there are to choose from, by collective and name. Begins with {@link #defaults}
 * and grows by {@link #with}; given to {@link Jccl#with}. Immutable; any thread.
 */
public final class AlgorithmCollection {
  /** What an algorithm may be for, in the order of lists. */
  private static final List<String> COLLECTIVES =
      List.of(
          "all_reduce",
          "all_gather",
          "reduce_scatter",
          "all_to_all",
          "broadcast",
          "reduce",
          "gather",
          "scatter",
          "barrier");

  private static final class Default {
    static final AlgorithmCollection COLLECTION =
        new AlgorithmCollection(Map.of()).withAll(Builtins.all());
  }

  private final Map<String, Map<String, Algorithm>> byCollective;

  private AlgorithmCollection(Map<String, Map<String, Algorithm>> byCollective) {
    this.byCollective = byCollective;
  }

  /** All of jccl's own. To run one is to force it, as the hint {@code algorithm} does. */
  public static AlgorithmCollection defaults() {
    return Default.COLLECTION;
  }

  /** The collectives that algorithms are for. */
  public static List<String> collectives() {
    return COLLECTIVES;
  }

  /**
   * This collection and one algorithm more.
   *
   * @throws IllegalArgumentException if the collective has one of that name, or is none
   */
  public AlgorithmCollection with(Algorithm algorithm) {
    return withAll(List.of(algorithm));
  }

  private AlgorithmCollection withAll(List<Algorithm> algorithms) {
    Map<String, Map<String, Algorithm>> more = new LinkedHashMap<>();
    byCollective.forEach((collective, named) -> more.put(collective, new LinkedHashMap<>(named)));
    for (Algorithm algorithm : algorithms) {
      String collective = algorithm.collective();
      String name = algorithm.name();
      if (!COLLECTIVES.contains(collective)) {
        throw new IllegalArgumentException(
            "algorithm '%s' is for '%s'; there are %s".formatted(name, collective, COLLECTIVES));
      }
      if (!name.matches("[a-z0-9][a-z0-9_]*") || name.equals(Selector.Choice.AUTO.algorithm())) {
        throw new IllegalArgumentException(
            "an algorithm cannot be named '%s': lower-case letters, digits and _, and not auto"
                .formatted(name));
      }
      Map<String, Algorithm> named = more.computeIfAbsent(collective, _ -> new LinkedHashMap<>());
      if (named.putIfAbsent(name, algorithm) != null) {
        throw new IllegalArgumentException(
            "%s has an algorithm named '%s' already".formatted(collective, name));
      }
    }
    return new AlgorithmCollection(more);
  }

  /** Those for a collective, in the order in which they were added. */
  public List<Algorithm> of(String collective) {
    return List.copyOf(byCollective.getOrDefault(collective, Map.of()).values());
  }

  /** One by collective and name, if there is such a one. */
  public Optional<Algorithm> find(String collective, String name) {
    return Optional.ofNullable(byCollective.getOrDefault(collective, Map.of()).get(name));
  }

  /**
   * One by collective and name.
   *
   * @throws IllegalArgumentException that lists those there are
   */
  public Algorithm get(String collective, String name) {
    return find(collective, name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s has no algorithm '%s'; there are %s"
                        .formatted(collective, name, String.join(", ", names(collective)))));
  }

  private Set<String> names(String collective) {
    return of(collective).stream()
        .map(Algorithm::name)
        .collect(Collectors.toCollection(java.util.TreeSet::new));
  }

  /** All, by collective. */
  public List<Algorithm> all() {
    List<Algorithm> all = new ArrayList<>();
    COLLECTIVES.forEach(collective -> all.addAll(of(collective)));
    return List.copyOf(all);
  }
}
