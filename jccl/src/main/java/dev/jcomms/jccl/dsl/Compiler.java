package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.internal.dsl.BlockDraft;
import dev.jcomms.jccl.internal.dsl.DataSync;
import dev.jcomms.jccl.internal.dsl.Fusion;
import dev.jcomms.jccl.internal.dsl.HazardSync;
import dev.jcomms.jccl.internal.dsl.Pairing;
import dev.jcomms.jccl.internal.dsl.RankDraft;
import dev.jcomms.jccl.internal.dsl.Replicas;
import dev.jcomms.jccl.internal.dsl.Step;
import dev.jcomms.jccl.plan.Extras;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the plan: pairing check, fusion, the meetings of threads that were asked for, those that
 * hazards need, replication.
 */
final class Compiler {
  private final ProgramSpec spec;
  private final List<RankDraft> ranks;
  private final Pairing pairing;
  private final Fusion fusion;
  private final Replicas replicas;

  Compiler(ProgramSpec spec, List<RankDraft> ranks, Pairing pairing) {
    this.spec = spec;
    this.ranks = ranks;
    this.pairing = pairing;
    this.fusion = new Fusion(spec.isInPlace() && spec.inputChunks() == spec.outputChunks());
    this.replicas =
        new Replicas(spec.instances(), spec.replication() == Replication.NONE);
  }

  Plan compile() {
    pairing
        .mismatch()
        .ifPresent(
            mismatch -> {
              throw Recorder.error(mismatch.caller(), mismatch.problem());
            });
    List<RankPlan> plans = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      checkBlocks(rank, ranks.get(rank).blocks());
      plans.add(replicas.of(ranks.get(rank).toPlan(this::ops)));
    }
    return new Plan(
        spec.name(),
        spec.collective(),
        spec.protocol(),
        spec.isInPlace(),
        spec.reusesResources(),
        spec.threadsPerBlock(),
        spec.hasDoubleScratch(),
        spec.bufferAlignment(),
        spec.minBytes(),
        spec.maxBytes(),
        plans,
        extras());
  }

  private List<Op> ops(List<Step> steps) {
    List<Op> ops = DataSync.insert(spec.fuses() ? fusion.fuse(steps) : steps);
    return spec.syncsByItself() ? HazardSync.insert(ops) : ops;
  }

  /** The format has no root; MSCCL++'s reader passes over keys that it does not know. */
  private Extras extras() {
    return spec.root().isEmpty()
        ? Extras.NONE
        : new Extras(
            Map.of("", Map.of("root", Integer.toString(spec.root().getAsInt()))), Map.of());
  }

  private static void checkBlocks(int rank, List<BlockDraft> blocks) {
    for (int i = 0; i < blocks.size(); i++) {
      BlockDraft block = blocks.get(i);
      if (block.id() != i) {
        throw Recorder.error(
            block.firstUse(),
            "rank %d has no block %d: it uses block %d, and none of its ops is on %d"
                .formatted(rank, i, block.id(), i));
      }
    }
  }
}
