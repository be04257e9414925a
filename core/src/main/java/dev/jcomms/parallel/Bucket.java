package dev.jcomms.parallel;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Gradients that are averaged by one operation: neighbours in one piece of memory. */
final class Bucket {
  final List<Slot> slots;
  private final Tensor memory;
  private int missing; // slots that have not arrived in the pass that runs
  private Work work; // null unless its average is on the way

  Bucket(List<Slot> slots, Tensor memory) {
    this.slots = List.copyOf(slots);
    this.memory = memory;
    long at = 0;
    for (Slot slot : slots) {
      slot.bucket = this;
      slot.view = memory.narrow(0, at, slot.parameter.elements()).view(slot.parameter.shape());
      at += slot.parameter.elements();
    }
    reset();
  }

  void reset() {
    missing = slots.size();
    work = null;
    slots.forEach(slot -> slot.arrived = false);
  }

  void arrived(Slot slot) {
    slot.arrived = true;
    slot.gather();
    missing--;
  }

  boolean isFull() {
    return missing == 0;
  }

  void start(Comm comm) {
    work = comm.allReduceAsync(memory, ReduceOp.AVG);
  }

  void await() {
    work.await();
  }
}
