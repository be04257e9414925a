package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.List;

/**
 * Whose input and output a plan touches from other ranks, whether it writes to inputs, and whether
 * it has data in scratch.
 */
final class Exposure {
  /** By owner and by who touches it. */
  private final boolean[][] touched;

  private boolean writesInputs;
  private boolean keepsData;

  Exposure(Plan plan) {
    int ranks = plan.ranks().size();
    this.touched = new boolean[ranks][ranks];
    for (RankPlan rank : plan.ranks()) {
      for (ThreadBlock block : rank.blocks()) {
        ops(rank, block, block.ops());
      }
    }
  }

  private void ops(RankPlan rank, ThreadBlock block, List<Op> ops) {
    for (Op op : ops) {
      switch (op) {
        case Op.Pipeline loop -> ops(rank, block, loop.ops());
        case Op.Data data -> {
          data.reads().forEach(access -> touch(rank, block, data, access, false));
          data.writes().forEach(access -> touch(rank, block, data, access, true));
        }
        default -> {}
      }
    }
  }

  private void touch(
      RankPlan rank, ThreadBlock block, Op.Data op, Op.Access access, boolean writes) {
    BufferType buffer =
        switch (access.chunk()) {
          case Chunk.Local local -> local.buffer();
          case Chunk.Remote remote -> {
            var far = rank.remoteBuffer(block, op.via().orElseThrow(), remote);
            touched[far.rank()][rank.rank()] |= far.buffer() != BufferType.SCRATCH;
            yield far.buffer();
          }
          case Chunk.Switch shared -> {
            var channel = rank.switchChannel(block, shared);
            for (int member : channel.ranks()) {
              touched[member][rank.rank()] |= channel.buffer() != BufferType.SCRATCH;
            }
            yield channel.buffer();
          }
        };
    writesInputs |= writes && buffer == BufferType.INPUT;
    keepsData |= buffer == BufferType.SCRATCH && access.form() == Op.Form.DATA;
  }

  /** Whether a rank touches another's input or output. */
  boolean touches(int owner, int by) {
    return touched[owner][by] && owner != by;
  }

  /** Whether any other rank touches a rank's input or output. */
  boolean isExposed(int owner) {
    for (int by = 0; by < touched.length; by++) {
      if (touches(owner, by)) {
        return true;
      }
    }
    return false;
  }

  /** Whether any rank is exposed. */
  boolean any() {
    for (int owner = 0; owner < touched.length; owner++) {
      if (isExposed(owner)) {
        return true;
      }
    }
    return false;
  }

  boolean writesInputs() {
    return writesInputs;
  }

  /** Whether scratch holds more than packets. */
  boolean keepsDataInScratch() {
    return keepsData;
  }
}
