package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.stream.LongStream;

/** One tensor's values in every way that memory can hold them. */
final class Arrangements {
  private Arrangements() {}

  static Tensor random(DType dtype, long seed, long... sizes) {
    return dtype.isFloating()
        ? Tensor.randn(dtype, Shape.of(sizes), seed)
        : Tensor.random(dtype, Shape.of(sizes), seed);
  }

  /** Fails at the first element that differs by more than the tolerance, or in being NaN. */
  static void assertClose(Tensor actual, double[] expected, double tolerance) {
    double[] values = actual.toDoubleArray();
    if (values.length != expected.length) {
      throw new AssertionError(values.length + " elements instead of " + expected.length);
    }
    for (int i = 0; i < values.length; i++) {
      boolean same = Double.compare(values[i], expected[i]) == 0;
      if (!same && !(Math.abs(values[i] - expected[i]) <= tolerance)) {
        throw new AssertionError(
            "element " + i + " is " + values[i] + " instead of " + expected[i]);
      }
    }
  }

  /** Contiguous, transposed, every second element, over a Java array. */
  static List<Tensor> of(Tensor t) {
    int dims = t.shape().dims();
    int[] backwards = LongStream.range(0, dims).mapToInt(d -> (int) (dims - 1 - d)).toArray();
    Tensor transposed = t.permute(backwards).copy().permute(backwards);
    Tensor onHeap =
        Tensor.wrap(
                java.lang.foreign.MemorySegment.ofArray(new byte[(int) t.bytes()]),
                t.dtype(),
                t.shape())
            .copyFrom(t);
    if (dims == 0) {
      return List.of(t, onHeap);
    }
    long[] wide = t.shape().toArray();
    wide[dims - 1] *= 2;
    Tensor sparse = Tensor.empty(t.dtype(), Shape.of(wide)).slice(dims - 1, 0, Long.MAX_VALUE, 2);
    return List.of(t, transposed, sparse.copyFrom(t), onHeap);
  }
}
