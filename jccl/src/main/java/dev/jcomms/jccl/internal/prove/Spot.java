package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op.Form;

/** Bytes of a region that an op touches. */
record Spot(Region region, long from, long to, Form form) {
  boolean overlaps(Spot other) {
    return region == other.region && from < other.to && other.from < to;
  }
}
