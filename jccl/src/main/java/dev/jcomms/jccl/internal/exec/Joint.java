package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import java.lang.foreign.MemorySegment;

/**
 * How input and output of an in-place plan are one buffer: the larger, in which the smaller is the
 * rank's own part, as in {@code allgather} and {@code reducescatter}.
 */
record Joint(long bytes, long inputAt, long outputAt) {
  static Joint of(Plan plan, PlanLayout layout) {
    long in = layout.inputBytes();
    long out = layout.outputBytes();
    int rank = layout.rank().rank();
    long room = Math.max(in, out) - (rank + 1L) * Math.min(in, out);
    if (!plan.inPlace() || in == 0 || out == 0 || room < 0 && in != out) {
      return null;
    }
    return new Joint(Math.max(in, out), in < out ? rank * in : 0, out < in ? rank * out : 0);
  }

  /** Whether two buffers lie so already. */
  boolean holds(MemorySegment input, MemorySegment output) {
    boolean sameMemory =
        input.isNative()
            ? output.isNative()
            : !output.isNative() && input.heapBase().equals(output.heapBase());
    return sameMemory && input.address() - inputAt == output.address() - outputAt;
  }
}
