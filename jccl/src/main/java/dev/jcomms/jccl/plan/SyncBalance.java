package dev.jcomms.jccl.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts what blocks owe each other: signals against waits on every pair of channels, barriers of
 * every block that meets at one, acquires against releases.
 *
 * <p>Inside a pipeline something happens once for each unit. Such counts are kept apart, and equal
 * only to those of a pipeline of the same units.
 */
final class SyncBalance {
  /** Where findings go. */
  @FunctionalInterface
  interface Report {
    void add(Place place, String problem, Object... values);
  }

  /** What is counted once for each unit of such a pipeline, or once if {@code unitBytes} is 0. */
  private record Loop(long unitBytes, int chunks) {
    static final Loop ONCE = new Loop(0, 0);
  }

  /** How often, by loop. */
  private static final class Tally extends HashMap<Loop, Integer> {
    private static final long serialVersionUID = 1L;

    void add(Loop loop) {
      merge(loop, 1, Integer::sum);
    }

    int total() {
      return values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /** The k-th channel of a type from a rank to another. */
  private record Line(ChannelType type, int from, int to, int k) {}

  private final Plan plan;
  private final Report error;
  private final Report warning;
  private final Map<Line, Tally> signals = new LinkedHashMap<>();
  private final Map<Line, Tally> waits = new LinkedHashMap<>();

  private SyncBalance(Plan plan, Report error, Report warning) {
    this.plan = plan;
    this.error = error;
    this.warning = warning;
  }

  static void of(Plan plan, Report error, Report warning) {
    SyncBalance balance = new SyncBalance(plan, error, warning);
    plan.ranks().forEach(balance::rank);
    balance.lines();
  }

  private void rank(RankPlan rank) {
    Map<ChannelType, List<Line>> lines =
        Map.of(
            ChannelType.MEMORY, lines(rank, ChannelType.MEMORY),
            ChannelType.PORT, lines(rank, ChannelType.PORT));
    Map<Integer, Meeting> barriers = new TreeMap<>();
    Map<Integer, Tally> acquires = new TreeMap<>();
    Map<Integer, Tally> releases = new TreeMap<>();
    for (ThreadBlock block : rank.blocks()) {
      forEachOp(
          block.ops(),
          (op, loop) -> {
            switch (op) {
              case Op.Signal(var type, var channels, _) ->
                  channels.forEach(ref -> count(signals, line(lines, block, type, ref), loop));
              case Op.Put put when put.completion() != Op.Put.Completion.NONE ->
                  put.channels()
                      .forEach(ref -> count(signals, line(lines, block, put.type(), ref), loop));
              case Op.Wait(var type, var channels, _) ->
                  channels.forEach(
                      ref -> {
                        Line own = line(lines, block, type, ref);
                        count(waits, new Line(type, own.to(), own.from(), own.k()), loop);
                      });
              case Op.Barrier(int id, int blocks) ->
                  barriers
                      .computeIfAbsent(id, _ -> new Meeting(new ArrayList<>(), new TreeMap<>()))
                      .add(blocks, block.id(), loop);
              case Op.Acquire(var ids) -> ids.forEach(id -> count(acquires, id, loop));
              case Op.Release(var ids) -> ids.forEach(id -> count(releases, id, loop));
              default -> {}
            }
          });
    }
    barriers.forEach((id, meeting) -> meeting.check(rank.rank(), id, error));
    semaphores(rank, acquires, releases);
  }

  @FunctionalInterface
  private interface Counter {
    void count(Op op, Loop loop);
  }

  private static void forEachOp(List<Op> ops, Counter counter) {
    for (Op op : ops) {
      if (op instanceof Op.Pipeline(long unitBytes, int chunks, var inner)) {
        inner.forEach(it -> counter.count(it, new Loop(unitBytes, chunks)));
      } else {
        counter.count(op, Loop.ONCE);
      }
    }
  }

  private static List<Line> lines(RankPlan rank, ChannelType type) {
    Map<Integer, Integer> before = new HashMap<>();
    List<Line> lines = new ArrayList<>();
    for (int peer : rank.peers(type)) {
      lines.add(new Line(type, rank.rank(), peer, before.merge(peer, 1, Integer::sum) - 1));
    }
    return lines;
  }

  private static Line line(
      Map<ChannelType, List<Line>> lines, ThreadBlock block, ChannelType type, int ref) {
    return lines.get(type).get(block.channel(type, ref).orElseThrow());
  }

  private static <K> void count(Map<K, Tally> tallies, K key, Loop loop) {
    tallies.computeIfAbsent(key, _ -> new Tally()).add(loop);
  }

  /**
   * Between two ranks the counts must agree. Where only those of single channels do not, the plan
   * is one that MSCCL++ makes, and one that waits for ever: to be said, but not here to be refused.
   */
  private void lines() {
    Map<Line, Tally> pairSignals = byPair(signals);
    Map<Line, Tally> pairWaits = byPair(waits);
    for (Line pair : union(pairSignals, pairWaits)) {
      int given = pairSignals.getOrDefault(pair, new Tally()).total();
      int taken = pairWaits.getOrDefault(pair, new Tally()).total();
      if (given != taken) {
        error.add(
            Place.rank(pair.from()),
            "%d signals to rank %d by %s channels, which waits for %d",
            given,
            pair.to(),
            pair.type().code(),
            taken);
      }
    }
    for (Line line : union(signals, waits)) {
      Tally given = signals.getOrDefault(line, new Tally());
      Tally taken = waits.getOrDefault(line, new Tally());
      if (!given.equals(taken)) {
        warning.add(
            Place.rank(line.from()),
            "%d signals on %s channel number %d to rank %d, which waits there for %d%s",
            given.total(),
            line.type().code(),
            line.k(),
            line.to(),
            taken.total(),
            given.total() == taken.total() ? ", in other pipelines" : "");
      }
    }
  }

  private static Map<Line, Tally> byPair(Map<Line, Tally> lines) {
    Map<Line, Tally> pairs = new LinkedHashMap<>();
    lines.forEach(
        (line, tally) -> {
          Line pair = new Line(line.type(), line.from(), line.to(), -1);
          Tally sum = pairs.computeIfAbsent(pair, _ -> new Tally());
          tally.forEach((loop, times) -> sum.merge(loop, times, Integer::sum));
        });
    return pairs;
  }

  private static Set<Line> union(Map<Line, Tally> some, Map<Line, Tally> others) {
    Set<Line> all = new LinkedHashSet<>(some.keySet());
    all.addAll(others.keySet());
    return all;
  }

  private void semaphores(
      RankPlan rank, Map<Integer, Tally> acquires, Map<Integer, Tally> releases) {
    for (int id = 0; id < rank.semaphores().size(); id++) {
      Tally taken = acquires.getOrDefault(id, new Tally());
      Tally given = releases.getOrDefault(id, new Tally());
      if (!taken.equals(given)) {
        warning.add(
            Place.rank(rank.rank()),
            "semaphore %d is acquired %d times and released %d times: its value drifts",
            id,
            taken.total(),
            given.total());
      }
    }
  }

  /** Those who meet at one barrier of a rank. */
  private record Meeting(List<Integer> sizes, Map<Integer, Tally> visits) {
    void add(int blocks, int block, Loop loop) {
      sizes.add(blocks);
      count(visits, block, loop);
    }

    void check(int rank, int id, Report error) {
      int least = Collections.min(sizes);
      int most = Collections.max(sizes);
      if (least != most || least != visits.size()) {
        error.add(
            Place.rank(rank),
            "barrier %d is for %s blocks and used by blocks %s",
            id,
            least == most ? "" + least : least + " or " + most,
            visits.keySet());
      } else if (visits.values().stream().distinct().count() > 1) {
        error.add(
            Place.rank(rank), "blocks %s use barrier %d unequally often", visits.keySet(), id);
      }
    }
  }
}
