package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.internal.Views;

/** What composites work out about shapes. */
final class Shapes {
  private Shapes() {}

  /** The shape that two broadcast to. */
  static Shape broadcast(String op, Shape a, Shape b) {
    return Views.broadcast(op, a, b);
  }
}
