package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Shape;

/** What composites work out about shapes. */
final class Shapes {
  private Shapes() {}

  /** The shape that two broadcast to. */
  static Shape broadcast(String op, Shape a, Shape b) {
    int dims = Math.max(a.dims(), b.dims());
    long[] sizes = new long[dims];
    for (int d = 1; d <= dims; d++) {
      long x = d <= a.dims() ? a.size(-d) : 1;
      long y = d <= b.dims() ? b.size(-d) : 1;
      if (x != y && x != 1 && y != 1) {
        throw new IllegalArgumentException(
            op + ": shapes " + a + " and " + b + " do not broadcast");
      }
      sizes[dims - d] = x == 1 ? y : x;
    }
    return Shape.of(sizes);
  }
}
