package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.List;
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
