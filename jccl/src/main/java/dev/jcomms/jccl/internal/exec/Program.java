package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.List;

/**
 * A rank's blocks for one size of message, every byte worked out. Made once for each size; run by
 * one launch at a time.
 */
final class Program {
  private final PlanLayout[] layouts;
  private final long[] stagedInputs;
  private final long[] stagedOutputs;
  private final Joint joint;
  private final Block[] blocks;

  private Program(Plan plan, PlanLayout own, PlanMemory memory, Fixtures fixtures) {
    int rank = own.rank().rank();
    int ranks = plan.ranks().size();
    this.layouts = new PlanLayout[ranks];
    this.stagedInputs = new long[ranks];
    this.stagedOutputs = new long[ranks];
    for (int r = 0; r < ranks; r++) {
      layouts[r] = r == rank ? own : PlanLayout.ofChunks(plan, r, own.chunkBytes());
      Joint its = Joint.of(plan, layouts[r]);
      RankMemory part = memory.layout(r);
      stagedInputs[r] = part.stage() + (its == null ? 0 : its.inputAt());
      stagedOutputs[r] = its == null ? part.outputStage() : part.stage() + its.outputAt();
    }
    this.joint = Joint.of(plan, own);
    Translator translator = new Translator(rank, layouts, fixtures);
    this.blocks =
        own.rank().blocks().stream()
            .filter(block -> !block.ops().isEmpty())
            .map((ThreadBlock block) -> translator.translate(block))
            .toArray(Block[]::new);
  }

  /**
   * @throws IllegalArgumentException if the plan is not for such a message
   */
  static Program of(Plan plan, PlanLayout own, PlanMemory memory, Fixtures fixtures) {
    return new Program(plan, own, memory, fixtures);
  }

  long bytes(int rank, BufferType buffer) {
    return layouts[rank].bytes(buffer);
  }

  /** Where a rank's input is in its part, if it is staged. */
  long stagedInput(int rank) {
    return stagedInputs[rank];
  }

  /** Where a rank's output is in its part, if it is staged. */
  long stagedOutput(int rank) {
    return stagedOutputs[rank];
  }

  /** How this rank's input and output are one; null if they are two. */
  Joint joint() {
    return joint;
  }

  Block[] blocks() {
    return blocks;
  }

  /** Ready for the next launch. */
  void rewind() {
    for (Block block : blocks) {
      block.rewind();
    }
  }

  /** Where blocks wait, at most a few of them, for messages. */
  List<Block> stuck() {
    return java.util.Arrays.stream(blocks).filter(block -> !block.isThrough()).toList();
  }
}
