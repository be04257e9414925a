package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/**
 * Applies a {@link Function} to tensors, element by element, on as many threads as it is worth.
 *
 * <p>Operands broadcast to the result's shape and convert to the dtype that is computed in; the
 * result converts to its own. Operands that are contiguous and of the carrier's dtype are read
 * where they are, others block by block through {@link Cursor}.
 */
public final class Pointwise {
  private Pointwise() {}

  public static void run(Function f, DType compute, Tensor out, Tensor... in) {
    run(f, compute, Scalar.ZERO, Scalar.ZERO, out, in);
  }

  /**
   * Writes the function's value everywhere in {@code out}.
   *
   * @param compute the dtype of the arithmetic; 0-d operands are rounded to it first
   * @param p the function's parameters
   * @throws IllegalArgumentException if the function is not defined in that dtype, or operands
   *     share memory with the result in part
   */
  public static void run(Function f, DType compute, Scalar p, Scalar q, Tensor out, Tensor... in) {
    Carrier carrier = f.carrier(compute);
    if (carrier == null || in.length != f.arity()) {
      throw new IllegalArgumentException(
          carrier == null
              ? "\"" + f.name() + "\" is not implemented for " + compute
              : f.name() + " takes " + f.arity() + " operands, not " + in.length);
    }
    Overlap.refuseInside(out);
    Tensor[] all = new Tensor[in.length + 1];
    all[0] = Memory.isAddressable(out) || out.storage().isOpaque() ? out : contiguous(out);
    for (int k = 0; k < in.length; k++) {
      Overlap.refusePartial(out, in[k]);
      all[k + 1] = operand(f, compute, out, in[k], k);
    }
    Kernel kernel = f.kernel(carrier);
    new PointwiseTask(kernel, carrier, carrier.bits(p), carrier.bits(q), all).run();
    if (all[0] != out) {
      out.copyFrom(all[0]);
    }
    Reference.reachabilityFence(all);
    Reference.reachabilityFence(in);
    Reference.reachabilityFence(out);
  }

  private static Tensor operand(Function f, DType compute, Tensor out, Tensor in, int k) {
    Tensor t = in;
    if (t.dtype() != compute && t.shape().dims() == 0 && !f.keepsScalar()) {
      t = t.to(compute);
    }
    t = t.elements() == 1 ? t : Memory.addressable(t);
    return t == in && Overlap.isHarmful(out, in) ? in.copy() : t;
  }

  private static Tensor contiguous(Tensor like) {
    return Tensor.empty(like.dtype(), like.shape());
  }

  /** Copies, converting; the two have the same shape or the source broadcasts. */
  public static void copy(Tensor out, Tensor in) {
    Overlap.refuseInside(out);
    if (!Memory.isAddressable(out) || !Memory.isAddressable(in)) {
      out.copyFrom(in);
      return;
    }
    Tensor from = Overlap.isHarmful(out, in) ? in.copy() : in;
    new PointwiseTask(null, Carrier.of(in.dtype()), 0, 0, out, from).run();
    Reference.reachabilityFence(out);
    Reference.reachabilityFence(from);
  }

  /**
   * A new tensor for the result of operands: with their strides' order, as PyTorch lays it out, so
   * that the sum of two transposed tensors is transposed.
   */
  public static Tensor output(DType dtype, Shape shape, Tensor... in) {
    boolean plain = true;
    for (Tensor t : in) {
      plain &= t.isContiguous();
    }
    if (plain || shape.dims() < 2 || shape.elements() == 0) {
      return Tensor.empty(dtype, shape);
    }
    long[] sizes = shape.toArray();
    long[][] strides = new long[in.length][];
    for (int k = 0; k < in.length; k++) {
      strides[k] = Walk.broadcast(in[k], shape);
    }
    long[] own = new long[sizes.length];
    long stride = 1;
    for (int d : Walk.order(sizes, strides)) {
      own[d] = stride;
      stride *= sizes[d];
    }
    return Tensor.over(Storage.allocate(stride * dtype.bytes()), dtype, shape, own, 0);
  }
}
