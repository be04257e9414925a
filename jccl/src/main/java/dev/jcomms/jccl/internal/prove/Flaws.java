package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Flaw;
import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what is found: each thing once, however many launches and sizes show it. */
final class Flaws {
  /** Of each kind, enough for a person. */
  private static final int MOST = 200;

  private record Same(Kind kind, Set<Place> places) {}

  private final List<Flaw> found = new ArrayList<>();
  private final Set<Same> seen = new HashSet<>();
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  void add(Kind kind, List<Place> places, String problem, Object... values) {
    if (counts.merge(kind, 1, Integer::sum) <= MOST
        && seen.add(new Same(kind, Set.copyOf(places)))) {
      found.add(new Flaw(kind, places, values.length == 0 ? problem : problem.formatted(values)));
    }
  }

  void addAll(Flaws others) {
    others.found.forEach(flaw -> add(flaw.kind(), flaw.places(), flaw.problem()));
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  boolean hasErrors() {
    return found.stream().anyMatch(Flaw::isError);
  }

  boolean has(Kind kind) {
    return found.stream().anyMatch(flaw -> flaw.kind() == kind);
  }

  int size() {
    return found.size();
  }

  /** Errors first, each kind together. */
  List<Flaw> sorted() {
    return found.stream().sorted(Comparator.comparing(Flaw::kind)).toList();
  }
}
