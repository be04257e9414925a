package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/**
 * The largest or smallest elements with their indexes. A NaN is more extreme than any number; of
 * equals the first is taken.
 */
public final class Extremes {
  private Extremes() {}

  /**
   * Searches the dimensions that {@code reduce} marks; of several, the index is that in row-major
   * order. They are not empty.
   *
   * @param values null if only indexes are asked for
   * @param indexes of {@link DType#I64}
   */
  public static void run(
      boolean largest, Tensor in, boolean[] reduce, Tensor values, Tensor indexes) {
    if (indexes.elements() == 0) {
      return;
    }
    Tensor from = logical(in, reduce);
    Tensor v = values == null ? Tensor.empty(in.dtype(), indexes.shape()) : addressable(values);
    Tensor i = addressable(indexes);
    ReductionPlan plan = new ReductionPlan(from, reduce, v, i);
    long length = plan.reduced.elements;
    Parallel.run(
        plan.kept.elements,
        Math.max(1, Parallel.GRAIN / length),
        (first, last) -> rows(largest, plan, first, last));
    if (values != null && v != values) {
      values.copyFrom(v);
    }
    if (i != indexes) {
      indexes.copyFrom(i);
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(in);
    Reference.reachabilityFence(values);
    Reference.reachabilityFence(indexes);
  }

  private static Tensor addressable(Tensor t) {
    return Memory.isAddressable(t) ? t : Tensor.empty(t.dtype(), t.shape());
  }

  /** Where several dimensions are searched, they are to be walked in logical order. */
  private static Tensor logical(Tensor in, boolean[] reduce) {
    int reduced = 0;
    for (boolean r : reduce) {
      reduced += r ? 1 : 0;
    }
    return Memory.addressable(reduced > 1 ? in.contiguous() : in);
  }

  private static void rows(boolean largest, ReductionPlan plan, long first, long last) {
    Carrier carrier = Carrier.of(plan.in.dtype());
    Scratch scratch = Scratch.mine();
    Cursor values = plan.results(0);
    Cursor indexes = plan.results(1);
    long length = plan.reduced.elements;
    for (long number = first; number < last; number++) {
      Cursor row = plan.row(number);
      Best best = new Best(largest);
      long direct = plan.flatRow(number, carrier);
      for (long at = 0; at < length && !best.isFinal(); ) {
        int n = (int) Math.min(Scratch.BLOCK, length - at);
        long block = direct + at * carrier.bytes;
        if (direct == 0) {
          block = scratch.block(1);
          row.load(at, n, carrier, block);
        }
        switch (carrier) {
          case FLOAT -> best.floats(block, n, at);
          case DOUBLE -> best.doubles(block, n, at);
          default -> best.longs(block, n, at);
        }
        at += n;
      }
      long block = scratch.block(0);
      if (carrier == Carrier.LONG) {
        Memory.put(block, best.whole);
      } else {
        Memory.put(block, best.value);
      }
      values.store(carrier == Carrier.LONG ? Carrier.LONG : Carrier.DOUBLE, block, number, 1);
      Memory.put(block, best.index);
      indexes.store(Carrier.LONG, block, number, 1);
    }
    Reference.reachabilityFence(scratch);
  }

  private static final class Best {
    private final boolean largest;
    private double value;
    private long whole;
    private long index;

    Best(boolean largest) {
      this.largest = largest;
    }

    /** Whether nothing can be more extreme. */
    boolean isFinal() {
      return value != value;
    }

    void floats(long block, int n, long at) {
      float best = at == 0 ? Memory.getFloat(block) : (float) value;
      int where = -1;
      for (int i = 0; i < n; i++) {
        float x = Memory.getFloat(block + i * 4L);
        if (largest ? !(x <= best) : !(x >= best)) {
          best = x;
          where = i;
          if (x != x) {
            break;
          }
        }
      }
      take(best, where, at);
    }

    void doubles(long block, int n, long at) {
      double best = at == 0 ? Memory.getDouble(block) : value;
      int where = -1;
      for (int i = 0; i < n; i++) {
        double x = Memory.getDouble(block + i * 8L);
        if (largest ? !(x <= best) : !(x >= best)) {
          best = x;
          where = i;
          if (x != x) {
            break;
          }
        }
      }
      take(best, where, at);
    }

    private void take(double best, int where, long at) {
      value = best;
      if (where >= 0) {
        index = at + where;
      }
    }

    void longs(long block, int n, long at) {
      long best = at == 0 ? Memory.getLong(block) : whole;
      int where = -1;
      for (int i = 0; i < n; i++) {
        long x = Memory.getLong(block + i * 8L);
        if (largest ? x > best : x < best) {
          best = x;
          where = i;
        }
      }
      whole = best;
      if (where >= 0) {
        index = at + where;
      }
    }
  }
}
