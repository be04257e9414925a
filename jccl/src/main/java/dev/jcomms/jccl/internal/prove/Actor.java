package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Place;

/**
 * One that acts in an order of its own: a thread block, a block's share of a port channel's proxy,
 * or a rank's caller. Holds a vector clock for each of two orders.
 *
 * <p>A signal tells that the sender has come so far (what it read, it has read). Only an ordered
 * one tells that what it wrote can be seen. What a relaxed one withholds is seen from the next
 * launch on, and what the sender knew at the beginning of its launch is never withheld.
 */
final class Actor {
  private final int id;
  private final int[] over;
  private final int[] visible;
  private int[] settled;
  private int epoch = 1;
  private int time;

  Actor(int id, int actors) {
    this.id = id;
    over = new int[actors];
    visible = new int[actors];
    settled = new int[actors];
  }

  int epoch() {
    return epoch;
  }

  /** Steps on the longest chain of events that leads here. */
  int time() {
    return time;
  }

  void spend(int steps) {
    time += steps;
  }

  void until(int later) {
    time = Math.max(time, later);
  }

  /** Everything up to now, for a receiver; later touches are not in it. */
  Stamp ordered(Place place) {
    int[] seen = visible.clone();
    seen[id] = epoch;
    return stamp(seen, place);
  }

  /** That this actor has come so far, and no more. */
  Stamp relaxed(Place place) {
    return stamp(settled, place);
  }

  private Stamp stamp(int[] seen, Place place) {
    int[] done = over.clone();
    done[id] = epoch;
    epoch++;
    return new Stamp(done, seen, time, place);
  }

  void learn(Stamp stamp) {
    raise(over, stamp.over());
    raise(visible, stamp.visible());
    time = Math.max(time, stamp.time());
  }

  /** A launch begins or ends: what is known to be over can be seen too. */
  void settle() {
    raise(visible, over);
    int[] now = visible.clone();
    now[id] = epoch;
    epoch++;
    settled = now;
  }

  /** Whether the touch is over for certain when this actor takes its next step. */
  boolean isAfter(Touch touch) {
    return touch.actor() == this || over[touch.actor().id] >= touch.epoch();
  }

  /** Whether what the touch wrote is there for certain when this actor reads. */
  boolean sees(Touch touch) {
    return touch.actor() == this || visible[touch.actor().id] >= touch.epoch();
  }

  static void raise(int[] to, int[] by) {
    for (int i = 0; i < to.length; i++) {
      to[i] = Math.max(to[i], by[i]);
    }
  }
}
