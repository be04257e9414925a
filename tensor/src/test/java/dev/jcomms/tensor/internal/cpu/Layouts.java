package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Tensors of one shape and the same kind of values, in every layout a kernel may meet. */
final class Layouts {
  private Layouts() {}

  static final List<long[]> SHAPES =
      List.of(
          new long[] {},
          new long[] {1},
          new long[] {7},
          new long[] {0},
          new long[] {3, 5},
          new long[] {2, 0},
          new long[] {4, 1, 3},
          new long[] {3, 300},
          new long[] {1100},
          new long[] {2, 3, 4, 5},
          new long[] {2, 1500});

  /** Contiguous, over a Java array, permuted, with gaps, expanded. */
  static List<Tensor> of(DType dtype, long[] sizes, Random random) {
    Tensor plain = values(dtype, sizes, random);
    Storage array = Storage.of(MemorySegment.ofArray(new byte[(int) plain.bytes()]));
    Tensor heap = Tensor.over(array, dtype, plain.shape()).copyFrom(plain);
    if (sizes.length == 0) {
      return List.of(plain, heap);
    }
    int last = sizes.length - 1;
    long[] wide = sizes.clone();
    wide[last] = wide[last] * 2 + 1;
    Tensor gaps = values(dtype, wide, random).slice(last, 1, Long.MAX_VALUE, 2);
    long[] swapped = sizes.clone();
    swapped[0] = sizes[last];
    swapped[last] = sizes[0];
    Tensor permuted = values(dtype, swapped, random).transpose(0, last);
    long[] single = sizes.clone();
    single[0] = Math.min(1, single[0]);
    Tensor expanded = values(dtype, single, random).expand(sizes);
    return List.of(plain, heap, gaps, permuted, expanded);
  }

  static Tensor values(DType dtype, long[] sizes, Random random) {
    Shape shape = Shape.of(sizes);
    double[] values = new double[(int) shape.elements()];
    Arrays.setAll(
        values, i -> dtype.isFloating() ? random.nextGaussian() * 2 : random.nextInt(19) - 9);
    return Tensor.empty(dtype, shape).copyFrom(Tensor.wrap(values, shape));
  }

  /** One element, wherever it is. */
  static double at(Tensor t, Shape shape, long number) {
    long[] index = new long[t.shape().dims()];
    long rest = number;
    for (int d = shape.dims() - 1; d >= 0; d--) {
      int own = d - (shape.dims() - index.length);
      if (own >= 0) {
        index[own] = t.shape().size(own) == 1 ? 0 : rest % shape.size(d);
      }
      rest /= shape.size(d);
    }
    return t.getDouble(index);
  }
}
