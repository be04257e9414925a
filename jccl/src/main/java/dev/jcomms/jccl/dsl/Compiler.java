package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.internal.dsl.DataSync;
import dev.jcomms.jccl.internal.dsl.Fusion;
import dev.jcomms.jccl.internal.dsl.HazardSync;
import dev.jcomms.jccl.internal.dsl.Pairing;
import dev.jcomms.jccl.internal.dsl.RankDraft;
import dev.jcomms.jccl.internal.dsl.Replicas;
import dev.jcomms.jccl.internal.dsl.ScratchUse;
import dev.jcomms.jccl.internal.dsl.Step;
import dev.jcomms.jccl.plan.Extras;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the plan: pairing check, fusion, the meetings of threads that were asked for, those that
 * hazards need, replication.
 */
final class Compiler {
  private final ProgramSpec spec;
  private final List<RankDraft> ranks;
  private final Pairing pairing;
  private final List<ScratchUse> scratch;
  private final boolean sharesChunks;
  private final Replicas replicas;

  Compiler(ProgramSpec spec, List<RankDraft> ranks, List<ScratchUse> scratch, Pairing pairing) {
    this.spec = spec;
    this.ranks = ranks;
    this.pairing = pairing;
    this.scratch = scratch;
    this.sharesChunks = spec.isInPlace() && spec.inputChunks() == spec.outputChunks();
    this.replicas = new Replicas(spec.instances(), spec.replication() == Replication.NONE);
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
      Fusion fusion = new Fusion(sharesChunks, scratch.get(rank)::isReadOnce);
      plans.add(replicas.of(ranks.get(rank).toPlan(steps -> ops(steps, fusion))));
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

  private List<Op> ops(List<Step> steps, Fusion fusion) {
    List<Op> ops = DataSync.insert(spec.fuses() ? fusion.fuse(steps) : steps);
    return spec.syncsByItself() ? HazardSync.insert(ops) : ops;
  }

  /** The format has no root; MSCCL++'s reader passes over keys that it does not know. */
  private Extras extras() {
    return spec.root().isEmpty() ? Extras.NONE : Extras.root(spec.root().getAsInt());
  }
}
