package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Place;

/**
 * A read or a write, by whom and when in its order.
 *
 * @param what the op's name, or what the caller does
 * @param time the actor's, for a drawing
 * @param stamp for who finds the packets that were written; {@code null} if none were
 */
record Touch(Actor actor, int epoch, Place place, String what, int launch, int time, Stamp stamp) {
  static Touch of(Actor actor, Place place, String what, int launch) {
    return new Touch(actor, actor.epoch(), place, what, launch, actor.time(), null);
  }

  /** Packets tell their finder who wrote them, and that alone. */
  static Touch ofPackets(Actor actor, Place place, String what, int launch) {
    return new Touch(actor, actor.epoch(), place, what, launch, actor.time(), actor.relaxed(place));
  }
}
