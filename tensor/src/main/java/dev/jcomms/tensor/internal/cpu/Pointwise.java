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
 * result converts to its own. Operands that are contiguous and of the carrier's dtype are read where
 * they are, others block by block through {@link Cursor}.
 */
public final class Pointwise {
  /** From this size on a row of its own is worth a block of its own. */
  private static final long LONG_ROW = 256;

  private static final int MOST_AT_ONCE = 1 << 24;

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
  public static void run(
      Function f, DType compute, Scalar p, Scalar q, Tensor out, Tensor... in) {
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
    new Task(kernel, carrier, carrier.bits(p), carrier.bits(q), all).run();
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
    t = Memory.addressable(t);
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
    new Task(null, Carrier.of(in.dtype()), 0, 0, out, from).run();
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

  /** One run of a kernel; without a kernel, a conversion. */
  private static final class Task implements Parallel.Range {
    private final Kernel kernel;
    private final Carrier carrier;
    private final long p;
    private final long q;
    private final Tensor[] operands;
    private final long[] addresses;
    private final boolean simple;
    private final Walk walk;

    Task(Kernel kernel, Carrier carrier, long p, long q, Tensor... operands) {
      this.kernel = kernel;
      this.carrier = carrier;
      this.p = p;
      this.q = q;
      this.operands = operands;
      this.addresses = new long[4];
      boolean simple = kernel != null;
      for (int k = 0; k < operands.length; k++) {
        Tensor t = operands[k];
        addresses[k] = k == 0 ? Memory.writableAddress(t) : Memory.address(t);
        simple &=
            t.isContiguous()
                && t.dtype() == carrier.dtype
                && (k == 0 || t.shape().equals(operands[0].shape()));
      }
      this.simple = simple;
      this.walk =
          simple || operands[0].elements() == 0 ? null : Walk.of(operands[0].shape(), operands);
    }

    void run() {
      long n = operands[0].elements();
      if (n <= Parallel.GRAIN) {
        if (n > 0) {
          run(0, n);
        }
      } else {
        Parallel.run(n, Parallel.GRAIN, this);
      }
    }

    @Override
    public void run(long from, long to) {
      if (simple || kernel != null && isNatural()) {
        direct(from, to);
      } else {
        blocks(from, to);
      }
    }

    private boolean isNatural() {
      for (int k = 0; k < operands.length; k++) {
        if (!walk.isFlat(k) || operands[k].dtype() != carrier.dtype) {
          return false;
        }
      }
      return true;
    }

    private void direct(long from, long to) {
      for (long at = from; at < to; ) {
        int n = (int) Math.min(MOST_AT_ONCE, to - at);
        long offset = at * carrier.bytes;
        kernel.run(
            addresses[0] + offset,
            addresses[1] + offset,
            addresses[2] + offset,
            addresses[3] + offset,
            n,
            p,
            q);
        at += n;
      }
    }

    private void blocks(long from, long to) {
      Scratch scratch = Scratch.mine();
      Cursor[] cursors = new Cursor[operands.length];
      for (int k = 0; k < operands.length; k++) {
        cursors[k] = new Cursor(walk, k, operands[k].dtype(), addresses[k]);
      }
      long row = walk.sizes[0];
      boolean byRow = walk.sizes.length > 1 && row >= LONG_ROW;
      long[] places = new long[4];
      boolean[] filled = new boolean[4];
      for (long at = from; at < to; ) {
        int n = (int) Math.min(Scratch.BLOCK, to - at);
        if (byRow) {
          n = (int) Math.min(n, row - at % row);
        }
        for (int k = 1; k < operands.length; k++) {
          places[k] = place(k, at, byRow);
          if (places[k] == 0) {
            places[k] = scratch.block(k);
            if (!filled[k]) {
              boolean constant = operands[k].elements() == 1;
              int count = constant ? (int) Math.min(Scratch.BLOCK, to - at) : n;
              cursors[k].load(at, count, carrier, places[k]);
              filled[k] = constant;
            }
          }
        }
        if (kernel == null) {
          cursors[0].store(carrier, places[1], at, n);
        } else {
          places[0] = place(0, at, byRow);
          long out = places[0] == 0 ? scratch.block(0) : places[0];
          kernel.run(out, places[1], places[2], places[3], n, p, q);
          if (places[0] == 0) {
            cursors[0].store(carrier, out, at, n);
          }
        }
        at += n;
      }
      Reference.reachabilityFence(scratch);
    }

    /** Where a block of an operand lies as the kernel wants it; 0 if nowhere. */
    private long place(int k, long at, boolean byRow) {
      if (operands[k].dtype() != carrier.dtype) {
        return 0;
      }
      if (walk.isFlat(k)) {
        return addresses[k] + at * carrier.bytes;
      }
      return byRow && walk.steps[k][0] == carrier.bytes ? addresses[k] + walk.offset(k, at) : 0;
    }
  }
}
