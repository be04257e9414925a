package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Plans that lack one thing of a sound one. */
final class Mutants {
  /** A plan, and what it lacks. */
  record Mutant(Place place, Op lacks, Supplier<Plan> plan) {
    @Override
    public String toString() {
      return place + " " + lacks.name();
    }
  }

  private Mutants() {}

  /** One for each op, inside pipelines too. */
  static List<Mutant> withoutOneOp(Plan plan) {
    List<Mutant> mutants = new ArrayList<>();
    for (RankPlan rank : plan.ranks()) {
      for (ThreadBlock block : rank.blocks()) {
        for (int i = 0; i < block.ops().size(); i++) {
          Op op = block.ops().get(i);
          Place place = Place.op(rank.rank(), block.id(), i);
          List<Op> rest = new ArrayList<>(block.ops());
          rest.remove(i);
          mutants.add(new Mutant(place, op, () -> with(plan, place, rest)));
          if (op instanceof Op.Pipeline(long unit, int chunks, var inner)) {
            for (int j = 0; j < inner.size(); j++) {
              List<Op> fewer = new ArrayList<>(inner);
              fewer.remove(j);
              List<Op> ops = new ArrayList<>(block.ops());
              ops.set(i, new Op.Pipeline(unit, chunks, fewer));
              mutants.add(new Mutant(place.inside(j), inner.get(j), () -> with(plan, place, ops)));
            }
          }
        }
      }
    }
    return mutants;
  }

  /** One for each channel, source and destination of an op that has several. */
  static List<Mutant> withoutOnePart(Plan plan) {
    List<Mutant> mutants = new ArrayList<>();
    for (RankPlan rank : plan.ranks()) {
      for (ThreadBlock block : rank.blocks()) {
        for (int i = 0; i < block.ops().size(); i++) {
          Op op = block.ops().get(i);
          Place place = Place.op(rank.rank(), block.id(), i);
          for (Op less : withoutOnePart(op)) {
            List<Op> ops = new ArrayList<>(block.ops());
            ops.set(i, less);
            mutants.add(new Mutant(place, op, () -> with(plan, place, ops)));
          }
        }
      }
    }
    return mutants;
  }

  private static List<Op> withoutOnePart(Op op) {
    return switch (op) {
      case Op.Signal(var type, var refs, var ordering) ->
          less(refs, 1, some -> new Op.Signal(type, some, ordering));
      case Op.Wait(var type, var refs, var ordering) ->
          less(refs, 1, some -> new Op.Wait(type, some, ordering));
      case Op.Acquire(var ids) -> less(ids, 1, Op.Acquire::new);
      case Op.Release(var ids) -> less(ids, 1, Op.Release::new);
      case Op.ForwardPackets(var type, var from, var to, var refs, var group) when refs.isEmpty() ->
          less(to, 1, some -> new Op.ForwardPackets(type, from, some, refs, group));
      case Op.Reduce(var sum, var own, var from, var to, var others, var group) -> {
        List<Op> all = new ArrayList<>();
        all.addAll(less(from, 1, some -> new Op.Reduce(sum, own, some, to, others, group)));
        all.addAll(less(others, 0, some -> new Op.Reduce(sum, own, from, to, some, group)));
        yield all;
      }
      case Op.ReducePackets(
              var sum,
              var own,
              var from,
              var to,
              var copies,
              var others,
              var group) -> {
        List<Op> all = new ArrayList<>();
        all.addAll(
            less(from, 0, some -> new Op.ReducePackets(sum, own, some, to, copies, others, group)));
        all.addAll(
            less(others, 0, some -> new Op.ReducePackets(sum, own, from, to, copies, some, group)));
        yield all;
      }
      case Op.Put(var type, var from, var to, var refs, var then, var group) when refs.isEmpty() ->
          pairs(from, to, (some, ends) -> new Op.Put(type, some, ends, refs, then, group));
      case Op.PutPackets(var type, var from, var to, var refs, var group) when refs.isEmpty() ->
          pairs(from, to, (some, ends) -> new Op.PutPackets(type, some, ends, refs, group));
      default -> List.of();
    };
  }

  /** An op for each element that a list can do without. */
  private static <T> List<Op> less(List<T> all, int least, Function<List<T>, Op> op) {
    List<Op> ops = new ArrayList<>();
    for (int i = 0; all.size() > least && i < all.size(); i++) {
      ops.add(op.apply(without(all, i)));
    }
    return ops;
  }

  private static <S, D> List<Op> pairs(
      List<S> sources, List<D> destinations, BiFunction<List<S>, List<D>, Op> op) {
    List<Op> ops = new ArrayList<>();
    for (int i = 0; sources.size() > 1 && i < sources.size(); i++) {
      ops.add(op.apply(without(sources, i), without(destinations, i)));
    }
    return ops;
  }

  private static <T> List<T> without(List<T> all, int at) {
    List<T> rest = new ArrayList<>(all);
    rest.remove(at);
    return rest;
  }

  /** One for each signal of a memory channel, without the wait that takes it. */
  static List<Mutant> withoutOneSignal(Plan plan) {
    List<Mutant> mutants = new ArrayList<>();
    for (RankPlan rank : plan.ranks()) {
      for (ThreadBlock block : rank.blocks()) {
        for (int i = 0; i < block.ops().size(); i++) {
          if (block.ops().get(i) instanceof Op.Signal signal) {
            Place place = Place.op(rank.rank(), block.id(), i);
            mutants.add(
                new Mutant(place, signal, () -> withoutPair(plan, rank, block, signal, place)));
          }
        }
      }
    }
    return mutants;
  }

  /**
   * Takes out the op at the place and, of each peer, the first like wait on its side of a channel.
   */
  private static Plan withoutPair(
      Plan plan, RankPlan rank, ThreadBlock block, Op.Signal signal, Place place) {
    int before = 0;
    for (int i = 0; i < place.op(); i++) {
      before += block.ops().get(i) instanceof Op.Signal other && other.equals(signal) ? 1 : 0;
    }
    List<Op> rest = new ArrayList<>(block.ops());
    rest.remove(place.op());
    Plan without = with(plan, place, rest);
    for (int ref : signal.channels()) {
      int id = block.channel(signal.type(), ref).orElseThrow();
      List<Integer> peers = rank.peers(signal.type());
      int peer = peers.get(id);
      int k = (int) peers.subList(0, id).stream().filter(p -> p == peer).count();
      without = withoutWait(without, peer, rank.rank(), k, signal, before);
    }
    return without;
  }

  private static Plan withoutWait(
      Plan plan, int rank, int from, int k, Op.Signal signal, int skip) {
    RankPlan its = plan.ranks().get(rank);
    List<Integer> peers = its.peers(signal.type());
    for (ThreadBlock block : its.blocks()) {
      int seen = 0;
      for (int i = 0; i < block.ops().size(); i++) {
        if (block.ops().get(i) instanceof Op.Wait(var type, var refs, var ordering)
            && type == signal.type()
            && ordering == signal.ordering()) {
          for (int ref : refs) {
            int id = block.channel(type, ref).orElseThrow();
            boolean paired =
                peers.get(id) == from
                    && peers.subList(0, id).stream().filter(p -> p == from).count() == k;
            if (paired && seen++ == skip) {
              List<Op> ops = new ArrayList<>(block.ops());
              List<Integer> others = new ArrayList<>(refs);
              others.remove((Integer) ref);
              if (others.isEmpty()) {
                ops.remove(i);
              } else {
                ops.set(i, new Op.Wait(type, others, ordering));
              }
              return with(plan, Place.block(rank, block.id()), ops);
            }
          }
        }
      }
    }
    return plan;
  }

  private static Plan with(Plan plan, Place place, List<Op> ops) {
    List<RankPlan> ranks = new ArrayList<>(plan.ranks());
    RankPlan rank = ranks.get(place.rank());
    List<ThreadBlock> blocks = new ArrayList<>(rank.blocks());
    ThreadBlock block = blocks.get(place.block());
    blocks.set(
        place.block(), new ThreadBlock(block.id(), ops, block.channels(), block.remoteBuffers()));
    ranks.set(
        place.rank(),
        new RankPlan(
            rank.rank(),
            rank.inputChunks(),
            rank.outputChunks(),
            rank.scratchChunks(),
            rank.channels(),
            rank.remoteBuffers(),
            rank.semaphores(),
            blocks));
    return plan.withRanks(ranks);
  }
}
