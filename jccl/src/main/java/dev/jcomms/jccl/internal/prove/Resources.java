package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the blocks of a plan share, for one size of chunk: memory, counts, proxies and clocks. */
final class Resources {
  /** Where a buffer of a rank lies. */
  record Home(Region region, long base) {}

  /** A channel of a rank: the counts it raises and takes from. */
  private record Line(Counter out, Counter in) {}

  /** The k-th channel of a type from a rank to another. */
  private record Way(ChannelType type, int from, int to, int k) {}

  /** One rank's own. */
  static final class OfRank {
    final RankPlan plan;
    final PlanLayout layout;
    final Actor caller;
    final List<RankPlan.SwitchChannel> switches;
    final List<Counter> semaphores = new ArrayList<>();
    final List<Actor> blocks = new ArrayList<>();
    final List<Proxy> proxies = new ArrayList<>();
    private final Map<BufferType, Home> homes = new EnumMap<>(BufferType.class);
    private final Map<ChannelType, List<Line>> lines = new EnumMap<>(ChannelType.class);

    private OfRank(RankPlan plan, PlanLayout layout, Actor caller) {
      this.plan = plan;
      this.layout = layout;
      this.caller = caller;
      switches = plan.switches();
    }

    Home home(BufferType buffer) {
      return homes.get(buffer);
    }

    Counter out(ThreadBlock block, ChannelType type, int ref) {
      return lines.get(type).get(block.channel(type, ref).orElseThrow()).out();
    }

    Counter in(ThreadBlock block, ChannelType type, int ref) {
      return lines.get(type).get(block.channel(type, ref).orElseThrow()).in();
    }

    Proxy proxy(ThreadBlock block, int ref) {
      return proxies.get(block.channel(ChannelType.PORT, ref).orElseThrow());
    }
  }

  final List<OfRank> ranks = new ArrayList<>();
  final List<Counter> counters = new ArrayList<>();
  private int actors;

  Resources(Plan plan, long chunkBytes, Region.Races races, Budget budget) {
    int total = countActors(plan);
    Map<Way, Counter> ways = new HashMap<>();
    for (RankPlan rank : plan.ranks()) {
      PlanLayout layout = PlanLayout.ofChunks(plan, rank.rank(), chunkBytes);
      OfRank its = new OfRank(rank, layout, newActor(total));
      rank.blocks().forEach(_ -> its.blocks.add(newActor(total)));
      homes(plan, its, races, budget);
      for (ChannelType type : List.of(ChannelType.MEMORY, ChannelType.PORT)) {
        its.lines.put(type, lines(rank, type, ways));
      }
      int channels = its.lines.get(ChannelType.PORT).size();
      for (int channel = 0; channel < channels; channel++) {
        its.proxies.add(new Proxy());
      }
      for (int id = 0; id < rank.semaphores().size(); id++) {
        Counter semaphore =
            new Counter("semaphore " + id + " of rank " + rank.rank(), rank.semaphores().get(id));
        its.semaphores.add(semaphore);
        counters.add(semaphore);
      }
      for (ThreadBlock block : rank.blocks()) {
        for (int channel : portChannels(block)) {
          its.proxies.get(channel).add(block.id(), newActor(total));
        }
      }
      ranks.add(its);
    }
    ranks.forEach(Resources::expect);
  }

  int actors() {
    return actors;
  }

  private Actor newActor(int total) {
    return new Actor(actors++, total);
  }

  /** A caller and the blocks of each rank, and each block's share of a proxy. */
  static int countActors(Plan plan) {
    int count = 0;
    for (RankPlan rank : plan.ranks()) {
      count += 1 + rank.blocks().size();
      for (ThreadBlock block : rank.blocks()) {
        count += portChannels(block).size();
      }
    }
    return count;
  }

  /** The rank's numbers of the port channels that a block uses. */
  private static List<Integer> portChannels(ThreadBlock block) {
    return block.channels().stream()
        .filter(refs -> refs.type() == ChannelType.PORT)
        .flatMap(refs -> refs.ids().stream())
        .distinct()
        .toList();
  }

  /** In place, input and output are one memory, and each a part of it where it is smaller. */
  private static void homes(Plan plan, OfRank its, Region.Races races, Budget budget) {
    PlanLayout layout = its.layout;
    int rank = its.plan.rank();
    long in = layout.inputBytes();
    long out = layout.outputBytes();
    if (plan.inPlace()) {
      long world = plan.ranks().size();
      long inBase = 0;
      long outBase = 0;
      switch (Expectation.normal(plan.collective())) {
        case "allgather", "gather" -> inBase = out == in * world ? rank * in : 0;
        case "reducescatter", "scatter" -> outBase = in == out * world ? rank * out : 0;
        default -> {}
      }
      Region both =
          new Region(
              rank,
              out > in ? "output" : "input",
              Math.max(inBase + in, outBase + out),
              races,
              budget);
      its.homes.put(BufferType.INPUT, new Home(both, inBase));
      its.homes.put(BufferType.OUTPUT, new Home(both, outBase));
    } else {
      its.homes.put(BufferType.INPUT, new Home(new Region(rank, "input", in, races, budget), 0));
      its.homes.put(BufferType.OUTPUT, new Home(new Region(rank, "output", out, races, budget), 0));
    }
    its.homes.put(
        BufferType.SCRATCH,
        new Home(new Region(rank, "scratch", layout.scratchBytes(), races, budget), 0));
  }

  /** The k-th channel to a peer pairs with the peer's k-th back. */
  private List<Line> lines(RankPlan rank, ChannelType type, Map<Way, Counter> ways) {
    Map<Integer, Integer> before = new HashMap<>();
    List<Line> lines = new ArrayList<>();
    for (int peer : rank.peers(type)) {
      int k = before.merge(peer, 1, Integer::sum) - 1;
      lines.add(
          new Line(
              counter(ways, new Way(type, rank.rank(), peer, k)),
              counter(ways, new Way(type, peer, rank.rank(), k))));
    }
    return lines;
  }

  private Counter counter(Map<Way, Counter> ways, Way way) {
    return ways.computeIfAbsent(
        way,
        _ -> {
          Counter counter =
              new Counter(
                  "%s channel number %d from rank %d to rank %d"
                      .formatted(way.type().code(), way.k(), way.from(), way.to()),
                  0);
          counters.add(counter);
          return counter;
        });
  }

  /** Tells every count who will raise it and who will take from it. */
  private static void expect(OfRank its) {
    int rank = its.plan.rank();
    for (ThreadBlock block : its.plan.blocks()) {
      String who = "rank " + rank + " block " + block.id();
      int id = block.id();
      forEachOp(
          block,
          op -> {
            switch (op) {
              case Op.Signal(var type, var refs, _) ->
                  refs.forEach(ref -> its.out(block, type, ref).expectGiver(id, who));
              case Op.Put put when put.completion() != Op.Put.Completion.NONE ->
                  put.channels()
                      .forEach(ref -> its.out(block, put.type(), ref).expectGiver(id, who));
              case Op.Wait(var type, var refs, _) ->
                  refs.forEach(ref -> its.in(block, type, ref).expectTaker(id, who));
              case Op.Acquire(var ids) ->
                  ids.forEach(s -> its.semaphores.get(s).expectTaker(id, who));
              case Op.Release(var ids) ->
                  ids.forEach(s -> its.semaphores.get(s).expectGiver(id, who));
              default -> {}
            }
          });
    }
  }

  static void forEachOp(ThreadBlock block, Consumer<Op> action) {
    for (Op op : block.ops()) {
      if (op instanceof Op.Pipeline pipeline) {
        pipeline.ops().forEach(action);
      } else {
        action.accept(op);
      }
    }
  }
}
