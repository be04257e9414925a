package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Place;

/** Is told what happens in the first launch, for a drawing of it. */
class Tracer {
  /** What goes from one op to another. */
  enum Link {
    DATA,
    PACKETS,
    SIGNAL
  }

  static final Tracer NONE = new Tracer();

  boolean isOn() {
    return false;
  }

  void step(Place place, Op op, int start, int end) {}

  void link(Link link, Place from, Place to) {}

  /** When an op that ends now began: it may have waited before. */
  final int begin(int end, Op op) {
    return end - (op instanceof Op.Data ? 4 : op instanceof Op.Nop ? 0 : 1);
  }
}
