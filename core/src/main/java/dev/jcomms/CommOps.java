package dev.jcomms;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;

/**
 * Collectives as operators of the namespace {@code comms}: functional, dispatched by device, and
 * differentiable. Static; any thread may use it.
 *
 * <p>Each returns a new tensor on its argument's device and leaves the argument alone. On a device
 * that the communicator has no backend for, and that brings no kernel of its own, it goes through
 * the host's memory. The operators themselves take a communicator by text: by {@link Comm#handle},
 * or by its name where only one of that name is open in the process.
 *
 * <p>A backward pass runs collectives, too, so what the ranks differentiate must be the same: where
 * one rank's argument requires a gradient, every rank's does.
 */
public final class CommOps {
  private CommOps() {}

  /**
   * The reduction of all ranks' tensors; its gradient is the same reduction, of sums or averages.
   */
  public static Tensor allReduce(Tensor self, ReduceOp op, Comm comm) {
    return call("comms::all_reduce", self, name(op), comm.handle());
  }

  /**
   * On the root the reduction of all ranks' tensors, elsewhere zeros; the gradient is the root's.
   */
  public static Tensor reduce(Tensor self, ReduceOp op, int root, Comm comm) {
    return call("comms::reduce", self, name(op), (long) root, comm.handle());
  }

  /** The root's tensor; the gradient is the sum of all on the root, and zeros elsewhere. */
  public static Tensor broadcast(Tensor self, int root, Comm comm) {
    return call("comms::broadcast", self, (long) root, comm.handle());
  }

  /** All ranks' tensors, joined along dimension 0; the gradient is their reduce-scattered sum. */
  public static Tensor allGather(Tensor self, Comm comm) {
    return call("comms::all_gather_into_tensor", self, comm.handle());
  }

  /** This rank's section, along dimension 0, of the reduction; the gradient is gathered. */
  public static Tensor reduceScatter(Tensor self, ReduceOp op, Comm comm) {
    return call("comms::reduce_scatter_tensor", self, name(op), comm.handle());
  }

  /**
   * What every rank has for this one, in equal sections along dimension 0; the gradient goes back.
   */
  public static Tensor allToAll(Tensor self, Comm comm) {
    return call("comms::all_to_all_single", self, null, null, comm.handle());
  }

  /** The same with sections of so many rows. */
  public static Tensor allToAll(Tensor self, long[] outputSplits, long[] inputSplits, Comm comm) {
    return call("comms::all_to_all_single", self, outputSplits, inputSplits, comm.handle());
  }

  private static Tensor call(String operator, Object... args) {
    return (Tensor) Dispatcher.call(operator, args);
  }

  private static String name(ReduceOp op) {
    if (op instanceof ReduceOp.PremulSum) {
      throw new IllegalArgumentException(
          "premul_sum has a factor, which operators do not take; multiply first, then use SUM");
    }
    return op.opName();
  }
}
