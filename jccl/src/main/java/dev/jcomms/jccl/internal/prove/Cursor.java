package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.jccl.plan.ThreadBlock;

/** How far a block has come in a launch. */
final class Cursor {
  final int rank;
  final ThreadBlock block;
  final Actor actor;
  final Unsynced unsynced;
  private final PlanLayout layout;
  private int op;
  private int inner;
  private long iteration;

  /** How often a barrier had opened when the block came to it; -1 if it is at none. */
  int arrived = -1;

  Cursor(int rank, ThreadBlock block, Actor actor, PlanLayout layout, Unsynced unsynced) {
    this.rank = rank;
    this.block = block;
    this.actor = actor;
    this.layout = layout;
    this.unsynced = unsynced;
  }

  void restart() {
    op = 0;
    inner = 0;
    iteration = 0;
    skipEmpty();
  }

  boolean isDone() {
    return op == block.ops().size();
  }

  Op op() {
    Op here = block.ops().get(op);
    return here instanceof Op.Pipeline pipeline ? pipeline.ops().get(inner) : here;
  }

  /** The pipeline around the op; {@code null} if there is none. */
  Op.Pipeline pipeline() {
    return block.ops().get(op) instanceof Op.Pipeline pipeline ? pipeline : null;
  }

  long iteration() {
    return iteration;
  }

  Place place() {
    Place here = Place.op(rank, block.id(), op);
    return pipeline() == null ? here : here.inside(inner);
  }

  void advance() {
    if (block.ops().get(op) instanceof Op.Pipeline pipeline) {
      inner++;
      if (inner < pipeline.ops().size()) {
        return;
      }
      inner = 0;
      iteration++;
      if (iteration < layout.units(pipeline)) {
        return;
      }
      iteration = 0;
    }
    op++;
    skipEmpty();
  }

  private void skipEmpty() {
    while (!isDone()
        && block.ops().get(op) instanceof Op.Pipeline pipeline
        && (pipeline.ops().isEmpty() || layout.units(pipeline) == 0)) {
      op++;
    }
  }
}
