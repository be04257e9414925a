package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Shape;

/**
 * A contiguous tensor seen along one dimension: {@code outer} blocks of {@code size} steps of
 * {@code inner} elements. A 0-d tensor has one step of one element.
 */
record Axis(long outer, int size, long inner) {
  static Axis of(Shape shape, int dim) {
    if (shape.dims() == 0) {
      return new Axis(1, 1, 1);
    }
    long outer = 1;
    long inner = 1;
    for (int d = 0; d < shape.dims(); d++) {
      if (d < dim) {
        outer *= shape.size(d);
      } else if (d > dim) {
        inner *= shape.size(d);
      }
    }
    return new Axis(outer, Math.toIntExact(shape.size(dim)), inner);
  }

  /** How many lines there are. */
  long lines() {
    return outer * inner;
  }

  /** Elements before the first one of a line; the others follow {@code inner} apart. */
  long start(long line) {
    return inner == 1 ? line * size : line / inner * size * inner + line % inner;
  }
}
