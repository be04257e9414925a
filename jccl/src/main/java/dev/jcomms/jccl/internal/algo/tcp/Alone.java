package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.algo.message.Arithmetic;
import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.tensor.Tensor;

/** Collectives of one rank: its output becomes its input. */
final class Alone {
  private Alone() {}

  static void perform(Collective op) {
    if (op instanceof Collective.Reduction reduction) {
      reduce(op.outputs().getFirst(), op.inputs().getFirst(), reduction.op());
    } else if (!(op instanceof Collective.Broadcast)) {
      for (int i = 0; i < op.outputs().size(); i++) {
        Tensor from = op.inputs().get(i);
        Blocks.of(op.outputs()).fill(i, from.segment(), 0);
      }
    }
  }

  /** Not a copy: there may be a factor, and a NaN is made the canonical one as among many. */
  private static void reduce(Tensor output, Tensor input, ReduceOp op) {
    Arithmetic arithmetic = Arithmetic.of(input.dtype(), op);
    Terms terms = new Terms().add(input.segment(), 0, arithmetic.factor());
    arithmetic.reducer().reduce(output.segment(), 0, terms, input.elements(), 1);
  }
}
