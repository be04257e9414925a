package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;

/**
 * Brings consecutive elements of a {@link Walk} into blocks and back, whatever their strides. Of
 * one thread.
 */
final class Cursor {
  private final Walk walk;
  private final int operand;
  private final DType dtype;
  private final long address;
  private final long[] index;

  Cursor(Walk walk, int operand, DType dtype, long address) {
    this.walk = walk;
    this.operand = operand;
    this.dtype = dtype;
    this.address = address;
    this.index = new long[walk.sizes.length];
  }

  /** Reads {@code n} elements from number {@code from} on. */
  void load(long from, int n, Carrier carrier, long to) {
    if (walk.isFlat(operand)) {
      Convert.load(dtype, address + from * dtype.bytes(), dtype.bytes(), carrier, to, n);
      return;
    }
    long step = walk.steps[operand][0];
    long at = seek(from);
    for (int done = 0; ; ) {
      int run = (int) Math.min(n - done, walk.sizes[0] - index[0]);
      Convert.load(dtype, at, step, carrier, to + (long) done * carrier.bytes, run);
      done += run;
      if (done == n) {
        return;
      }
      at = nextRow(at);
    }
  }

  /** Writes {@code n} elements from number {@code to} on. */
  void store(Carrier carrier, long from, long to, int n) {
    if (walk.isFlat(operand)) {
      Convert.store(carrier, from, dtype, address + to * dtype.bytes(), dtype.bytes(), n);
      return;
    }
    long step = walk.steps[operand][0];
    long at = seek(to);
    for (int done = 0; ; ) {
      int run = (int) Math.min(n - done, walk.sizes[0] - index[0]);
      Convert.store(carrier, from + (long) done * carrier.bytes, dtype, at, step, run);
      done += run;
      if (done == n) {
        return;
      }
      at = nextRow(at);
    }
  }

  private long seek(long number) {
    long rest = number;
    long at = address;
    for (int d = 0; d < index.length; d++) {
      index[d] = d == index.length - 1 ? rest : rest % walk.sizes[d];
      rest /= walk.sizes[d];
      at += index[d] * walk.steps[operand][d];
    }
    return at;
  }

  /** From anywhere in a row to the first element of the next one. */
  private long nextRow(long from) {
    long[] step = walk.steps[operand];
    long at = from - index[0] * step[0];
    index[0] = 0;
    for (int d = 1; d < index.length; d++) {
      at += step[d];
      if (++index[d] < walk.sizes[d]) {
        return at;
      }
      at -= walk.sizes[d] * step[d];
      index[d] = 0;
    }
    return at;
  }
}
