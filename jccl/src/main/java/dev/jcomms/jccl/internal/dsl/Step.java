package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.plan.Op;
import java.util.List;

/** What a block is told to do, on its way to an {@link Op}: fusion works on these. */
public sealed interface Step {
  /**
   * One op.
   *
   * @param sync {@link Sync#NONE} unless the op signals, waits or flushes
   */
  record Act(Op op, Sync sync) implements Step {
    public static Act of(Op op) {
      return new Act(op, Sync.NONE);
    }
  }

  /** What becomes a pipeline. */
  record Loop(long unitBytes, int chunks, List<Step> steps) implements Step {
    public Loop {
      steps = List.copyOf(steps);
    }
  }
}
