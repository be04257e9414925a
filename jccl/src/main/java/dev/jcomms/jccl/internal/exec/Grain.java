package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.tensor.DType;

/** Whether what a plan takes at once holds whole elements and whole packets. */
public final class Grain {
  private Grain() {}

  /**
   * Refuses a plan that would cut them.
   *
   * @throws IllegalArgumentException that says where
   */
  public static void require(Plan plan, DType dtype, PacketType packets) {
    int alignment = plan.bufferAlignment();
    if (alignment % dtype.bytes() != 0) {
      throw new IllegalArgumentException(
          "plan '%s' has buffer_alignment=%d, which cuts elements of %s"
              .formatted(plan.name(), alignment, dtype));
    }
    if (alignment % packets.payloadBytes() != 0 && PlanLayout.hasPackets(plan)) {
      throw new IllegalArgumentException(
          "plan '%s' has buffer_alignment=%d, which cuts %s packets; those of LL8 hold %d bytes"
              .formatted(plan.name(), alignment, packets, PacketType.LL8.payloadBytes()));
    }
    long unit = reducedUnit(plan, dtype);
    if (unit != 0) {
      throw new IllegalArgumentException(
          "plan '%s' reduces in a pipeline with unit_size=%d, which cuts elements of %s"
              .formatted(plan.name(), unit, dtype));
    }
  }

  /** The units of a pipeline that reduces and would cut elements; 0 if there is none. */
  private static long reducedUnit(Plan plan, DType dtype) {
    if (dtype.bytes() == 1) {
      return 0;
    }
    for (var rank : plan.ranks()) {
      for (var block : rank.blocks()) {
        for (Op op : block.ops()) {
          if (op instanceof Op.Pipeline(long unit, _, var inner)
              && unit % dtype.bytes() != 0
              && inner.stream().anyMatch(Grain::reduces)) {
            return unit;
          }
        }
      }
    }
    return 0;
  }

  /** Packets are reduced whole chunks at a time, in pipelines too. */
  private static boolean reduces(Op op) {
    return op instanceof Op.Reduce
        || op instanceof Op.SwitchReduce
        || op instanceof Op.SwitchReduceStore;
  }
}
