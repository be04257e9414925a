package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * One run of a kernel over its operands, the result first; without a kernel, a conversion of the
 * second operand into the first. Whoever makes it keeps the operands reachable.
 */
final class PointwiseTask implements Parallel.Range {
  /** From this size on a row of its own is worth a block of its own. */
  static final long LONG_ROW = 256;

  private static final int MOST_AT_ONCE = 1 << 24;

  private final Kernel kernel;
  private final Carrier carrier;
  private final long p;
  private final long q;
  private final Tensor[] operands;
  private final long[] addresses = new long[4];
  private final boolean[] single = new boolean[4]; // one element for all, in a block of its own

  /** Null if all operands that are not single lie one after the other. */
  private final Walk walk;

  /** Whether the kernel can work on the operands where they are. */
  private final boolean direct;

  PointwiseTask(Kernel kernel, Carrier carrier, long p, long q, Tensor... operands) {
    this.kernel = kernel;
    this.carrier = carrier;
    this.p = p;
    this.q = q;
    this.operands = operands;
    Tensor out = operands[0];
    boolean flat = true;
    boolean natural = kernel != null;
    for (int k = 0; k < operands.length; k++) {
      Tensor t = operands[k];
      single[k] = k > 0 && t.elements() == 1;
      if (!single[k]) {
        addresses[k] = k == 0 ? Memory.writableAddress(t) : Memory.address(t);
        flat &= t.isContiguous() && (k == 0 || t.shape().equals(out.shape()));
      }
      natural &= !single[k] && t.dtype() == carrier.dtype;
    }
    this.walk = flat || out.elements() == 0 ? null : Walk.of(out.shape(), operands);
    this.direct = natural && areFlat();
  }

  private boolean areFlat() {
    if (walk == null) {
      return true;
    }
    for (int k = 0; k < operands.length; k++) {
      if (!walk.isFlat(k)) {
        return false;
      }
    }
    return true;
  }

  void run() {
    long n = operands[0].elements();
    if (n > Parallel.GRAIN) {
      Parallel.run(n, Parallel.GRAIN, this);
    } else if (n > 0) {
      run(0, n);
    }
  }

  @Override
  public void run(long from, long to) {
    if (!direct) {
      blocks(from, to);
      return;
    }
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
    Cursor[] cursors = cursors(scratch, to - from);
    long row = walk == null ? 0 : walk.sizes[0];
    boolean byRow = walk != null && walk.sizes.length > 1 && row >= LONG_ROW;
    long[] places = new long[4];
    for (long at = from; at < to; ) {
      int n = (int) Math.min(Scratch.BLOCK, to - at);
      if (byRow) {
        n = (int) Math.min(n, row - at % row);
      }
      for (int k = 1; k < operands.length; k++) {
        places[k] = place(k, at, byRow);
        if (places[k] == 0) {
          places[k] = scratch.block(k);
          if (!single[k]) {
            load(cursors, k, at, n, places[k]);
          }
        }
      }
      long out = kernel == null ? 0 : place(0, at, byRow);
      long result = kernel == null ? places[1] : out == 0 ? scratch.block(0) : out;
      if (kernel != null) {
        kernel.run(result, places[1], places[2], places[3], n, p, q);
      }
      if (out == 0) {
        store(cursors, result, at, n);
      }
      at += n;
    }
    Reference.reachabilityFence(scratch);
  }

  /** Makes cursors where there is a walk, and fills the blocks of single elements. */
  private Cursor[] cursors(Scratch scratch, long elements) {
    int n = (int) Math.min(Scratch.BLOCK, elements);
    for (int k = 1; k < operands.length; k++) {
      if (single[k]) {
        fill(operands[k], scratch.block(k), n);
      }
    }
    if (walk == null) {
      return null;
    }
    Cursor[] cursors = new Cursor[operands.length];
    for (int k = 0; k < operands.length; k++) {
      cursors[k] = new Cursor(walk, k, operands[k].dtype(), addresses[k]);
    }
    return cursors;
  }

  private void fill(Tensor one, long block, int n) {
    MemorySegment memory = one.storage().segment();
    long at = one.offset() * one.dtype().bytes();
    switch (carrier) {
      case FLOAT -> Memory.put(block, Elements.getFloat(memory, one.dtype(), at));
      case DOUBLE -> Memory.put(block, Elements.getDouble(memory, one.dtype(), at));
      case INT -> Memory.put(block, (int) Elements.getLong(memory, one.dtype(), at));
      case LONG -> Memory.put(block, Elements.getLong(memory, one.dtype(), at));
    }
    Convert.repeat(block, carrier.bytes, n);
  }

  private void load(Cursor[] cursors, int k, long at, int n, long to) {
    if (cursors != null) {
      cursors[k].load(at, n, carrier, to);
    } else {
      DType dtype = operands[k].dtype();
      int bytes = dtype.bytes();
      Convert.load(dtype, addresses[k] + at * bytes, bytes, carrier, to, n);
    }
  }

  private void store(Cursor[] cursors, long from, long at, int n) {
    if (cursors != null) {
      cursors[0].store(carrier, from, at, n);
    } else {
      DType dtype = operands[0].dtype();
      int bytes = dtype.bytes();
      Convert.store(carrier, from, dtype, addresses[0] + at * bytes, bytes, n);
    }
  }

  /** Where a block of an operand lies as the kernel wants it; 0 if nowhere. */
  private long place(int k, long at, boolean byRow) {
    if (single[k] || operands[k].dtype() != carrier.dtype) {
      return 0;
    }
    if (walk == null || walk.isFlat(k)) {
      return addresses[k] + at * carrier.bytes;
    }
    return byRow && walk.steps[k][0] == carrier.bytes ? addresses[k] + walk.offset(k, at) : 0;
  }
}
