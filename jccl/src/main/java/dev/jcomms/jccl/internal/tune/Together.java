package dev.jcomms.jccl.internal.tune;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;

/**
 * Numbers on which all ranks agree: the largest of all ranks'. Whatever the tuner decides follows
 * from such numbers, so all ranks decide alike. One thread.
 */
final class Together {
  private final Comm comm;

  Together(Comm comm) {
    this.comm = comm;
  }

  double[] most(double... numbers) {
    Tensor all = Tensor.of(numbers.clone());
    comm.allReduce(all, ReduceOp.MAX);
    return all.toDoubleArray();
  }

  void meet() {
    comm.barrier();
  }
}
