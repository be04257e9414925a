package dev.jcomms.testkit.scenario;

import dev.jcomms.Comm;
import dev.jcomms.CommOptions;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Communicators of some of the ranks. */
final class SplitScenarios {
  private SplitScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
        of("contiguous halves work side by side", 2, SplitScenarios::halves),
        of("even and odd ranks work side by side", 2, SplitScenarios::evens),
        of("three groups, the last of them empty", 3, SplitScenarios::someEmpty),
        of("the new rank is the position in the list", 1, SplitScenarios::order),
        of("the same ranks three times over", 1, SplitScenarios::sameRanks),
        of("groups of groups know their first ranks", 2, SplitScenarios::levels),
        of("a part of the ranks, and then all of them", 2, SplitScenarios::partThenAll),
        of("by color, ordered by key", 1, SplitScenarios::colors),
        of("options are inherited, or given", 1, SplitScenarios::options),
        of("a rank twice is refused on all ranks", 2, rank -> refused(rank, List.of(0, 1, 0))),
        of(
            "a list without its own rank is refused on all ranks",
            2,
            rank -> refused(rank, List.of(0))),
        of("a rank out of range is refused on all ranks", 1, SplitScenarios::outOfRange),
        of("lists that disagree are refused on all ranks", 3, SplitScenarios::disagree));
  }

  private static Scenario of(String what, int ranks, Scenario.Body body) {
    return new Scenario("split/" + what, Needs.oneOf(Proof.KINDS).ranks(ranks), body);
  }

  private static List<Integer> everybody(Rank rank) {
    return IntStream.range(0, rank.size()).boxed().toList();
  }

  /** Splits, checks who is who, and works in it. */
  private static void check(Rank rank, List<Integer> group, Comm parent) {
    Optional<Comm> part = parent.split(group);
    Expect.equal(
        rank, "whether split(" + group + ") gives a comm", !group.isEmpty(), part.isPresent());
    part.ifPresent(
        comm -> {
          List<Integer> ranks = group.stream().map(parent.ranks()::get).toList();
          Expect.equal(
              rank, "rank in split(" + group + ")", group.indexOf(parent.rank()), comm.rank());
          Expect.equal(rank, "size of split(" + group + ")", group.size(), comm.size());
          Expect.equal(rank, "ranks() of split(" + group + ")", ranks, comm.ranks());
          Proof.works(rank, comm, "split(" + group + ")");
        });
    Proof.works(rank, parent, "the parent of split(" + group + ")");
    rank.meet();
    part.ifPresent(Comm::close);
    Proof.works(rank, parent, "the parent of a split that was closed");
  }

  private static void halves(Rank rank) {
    int half = rank.size() / 2;
    boolean low = rank.number() < half;
    check(rank, everybody(rank).subList(low ? 0 : half, low ? half : rank.size()), rank.comm());
  }

  private static void evens(Rank rank) {
    check(
        rank,
        everybody(rank).stream().filter(r -> r % 2 == rank.number() % 2).toList(),
        rank.comm());
  }

  private static void someEmpty(Rank rank) {
    int third = Math.min(2, rank.number() * 3 / rank.size());
    check(
        rank,
        third == 2
            ? List.of()
            : everybody(rank).stream()
                .filter(r -> Math.min(2, r * 3 / rank.size()) == third)
                .toList(),
        rank.comm());
  }

  private static void order(Rank rank) {
    check(rank, everybody(rank).reversed(), rank.comm());
  }

  private static void sameRanks(Rank rank) {
    List<Comm> parts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      parts.add(rank.comm().split(everybody(rank)).orElseThrow());
    }
    for (int i = 0; i < 3; i++) {
      Proof.works(rank, parts.get(i), "split " + i + " of the same ranks");
    }
    rank.meet();
    parts.forEach(Comm::close);
  }

  private static void levels(Rank rank) {
    int n = rank.size();
    List<Integer> top = everybody(rank).subList(n / 2, n);
    Optional<Comm> upper = rank.comm().split(rank.number() >= n / 2 ? top : List.of());
    upper.ifPresent(
        comm -> {
          Expect.equal(rank, "ranks() of the upper half", top, comm.ranks());
          List<Integer> alone = List.of(comm.rank());
          try (Comm self = comm.split(alone).orElseThrow()) {
            Expect.equal(
                rank, "ranks() of a group of one in it", List.of(rank.number()), self.ranks());
            Proof.works(rank, self, "a group of one");
          }
          Proof.works(rank, comm, "the upper half");
        });
    rank.meet();
    upper.ifPresent(Comm::close);
  }

  private static void partThenAll(Rank rank) {
    boolean in = rank.number() < rank.size() - 1;
    check(rank, in ? everybody(rank).subList(0, rank.size() - 1) : List.of(), rank.comm());
    check(rank, everybody(rank), rank.comm());
  }

  private static void colors(Rank rank) {
    int n = rank.size();
    int color = rank.number() % 2;
    // Keys fall with the rank, so the order is turned round; equal keys keep the ranks' own.
    List<Integer> group = everybody(rank).stream().filter(r -> r % 2 == color).toList();
    Comm turned = rank.comm().split(color, n - rank.number()).orElseThrow();
    Expect.equal(rank, "ranks() of color " + color, group.reversed(), turned.ranks());
    Proof.works(rank, turned, "color " + color);
    Comm kept = rank.comm().split(color, 7).orElseThrow();
    Expect.equal(rank, "ranks() of color " + color + " with equal keys", group, kept.ranks());
    boolean none = rank.comm().split(-1, 0).isEmpty();
    Expect.that(rank, none, "color -1 gives a comm");
    rank.meet();
    turned.close();
    kept.close();
  }

  private static void options(Rank rank) {
    CommOptions given = rank.comm().options().withName("part").withTimeout(Duration.ofSeconds(77));
    Comm inherited = rank.comm().split(everybody(rank)).orElseThrow();
    Comm named = rank.comm().split(everybody(rank), given).orElseThrow();
    Expect.equal(
        rank, "timeout of a split", rank.comm().options().timeout(), inherited.options().timeout());
    Expect.equal(rank, "name of a split", "part", named.name());
    Expect.equal(
        rank, "timeout given to a split", Duration.ofSeconds(77), named.options().timeout());
    Proof.works(rank, named, "a split with options");
    rank.meet();
    inherited.close();
    named.close();
  }

  private static void refused(Rank rank, List<Integer> group) {
    Expect.thrown(
        rank,
        "split(" + group + ") on all ranks",
        IllegalArgumentException.class,
        () -> rank.comm().split(group));
    Proof.works(rank, rank.comm(), "the comm after a refused split");
  }

  private static void outOfRange(Rank rank) {
    refused(rank, List.of(rank.number(), rank.size()));
    refused(rank, List.of(rank.number(), -1));
  }

  private static void disagree(Rank rank) {
    refused(rank, rank.number() == 0 ? everybody(rank) : everybody(rank).reversed());
  }
}
