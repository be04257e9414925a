package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;

/** C = alpha A B + beta C of whole numbers, which wrap as their dtype does. Plain and unhurried. */
final class IntegerGemm {
  private IntegerGemm() {}

  /** All of one dtype, two-dimensional and off the heap. C is not read if beta is zero. */
  static void run(Tensor a, Tensor b, Tensor c, long alpha, long beta) {
    int m = (int) a.shape().size(0);
    int inner = (int) a.shape().size(1);
    int n = (int) b.shape().size(1);
    int bytes = a.dtype().bytes();
    long[] as = a.strides();
    long[] bs = b.strides();
    long[] cs = c.strides();
    long[] row = new long[n];
    for (int i = 0; i < m; i++) {
      java.util.Arrays.fill(row, 0);
      for (int k = 0; k < inner; k++) {
        long v =
            Elements.getLong(
                Memory.ALL, a.dtype(), Dense.address(a) + (i * as[0] + k * as[1]) * bytes);
        long from = Dense.address(b) + k * bs[0] * bytes;
        for (int j = 0; j < n; j++) {
          row[j] += v * Elements.getLong(Memory.ALL, b.dtype(), from + j * bs[1] * bytes);
        }
      }
      for (int j = 0; j < n; j++) {
        long at = Dense.address(c) + (i * cs[0] + j * cs[1]) * bytes;
        long kept = beta == 0 ? 0 : beta * Elements.getLong(Memory.ALL, c.dtype(), at);
        Elements.putLong(Memory.ALL, c.dtype(), at, alpha * row[j] + kept);
      }
    }
  }
}
