package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * What the threads of one block have done since they last met. On a GPU they are in no order until
 * a {@code nop} or a barrier; where a block is one thread it does not matter.
 */
final class Unsynced {
  private record Past(Spot spot, boolean writes, boolean packets, Place place, String what) {}

  private final List<Past> touches = new ArrayList<>();
  private final Flaws flaws;
  private final Budget budget;
  private Place waited;

  Unsynced(Flaws flaws, Budget budget) {
    this.flaws = flaws;
    this.budget = budget;
  }

  void meet() {
    touches.clear();
    waited = null;
  }

  /** One thread waits; the others go on. */
  void waits(Place place) {
    waited = place;
  }

  /** One thread gives a signal, perhaps before the others are done. */
  void signals(Place place, String what) {
    if (!touches.isEmpty()) {
      Past past = touches.getLast();
      flaws.add(
          Kind.MISSING_NOP,
          List.of(place, past.place()),
          "%s may come before all threads have done their part of %s; a nop between them is missing",
          what,
          past.what());
    }
  }

  /**
   * All threads take part.
   *
   * @param proxied whether one thread asks a proxy for it
   */
  void touches(Place place, String what, List<Spot> reads, List<Spot> writes, boolean proxied) {
    if (waited != null && !proxied) {
      flaws.add(
          Kind.MISSING_NOP,
          List.of(place, waited),
          "threads may begin %s before one of them has waited; a nop between the two is missing",
          what);
    }
    boolean packets = hasPackets(reads) || hasPackets(writes);
    budget.spend(50L * touches.size() * (reads.size() + writes.size()));
    for (Past past : touches) {
      if (meets(past, reads, writes)) {
        flaws.add(
            packets || past.packets() ? Kind.UNSURE_NOP : Kind.MISSING_NOP,
            List.of(place, past.place()),
            "threads may do their part of %s before others have done theirs of %s on the same bytes;"
                + " a nop between the two is missing",
            what,
            past.what());
      }
    }
    if (!proxied) {
      reads.forEach(spot -> remember(new Past(spot, false, packets, place, what)));
      writes.forEach(spot -> remember(new Past(spot, true, packets, place, what)));
    }
  }

  private static boolean meets(Past past, List<Spot> reads, List<Spot> writes) {
    for (Spot spot : writes) {
      if (spot.overlaps(past.spot())) {
        return true;
      }
    }
    if (past.writes()) {
      for (Spot spot : reads) {
        if (spot.overlaps(past.spot()) && !isFound(spot, past.spot())) {
          return true;
        }
      }
    }
    return false;
  }

  /** The units of a pipeline's op that follow each other are one. */
  private void remember(Past now) {
    for (int i = 0; i < touches.size(); i++) {
      Past past = touches.get(i);
      Spot before = past.spot();
      Spot spot = now.spot();
      boolean continues =
          past.place().equals(now.place())
              && past.writes() == now.writes()
              && before.region() == spot.region()
              && before.to() == spot.from();
      if (continues) {
        Spot both = new Spot(spot.region(), before.from(), spot.to(), spot.form());
        touches.set(i, new Past(both, now.writes(), now.packets(), now.place(), now.what()));
        return;
      }
    }
    touches.add(now);
  }

  private static boolean hasPackets(List<Spot> spots) {
    for (Spot spot : spots) {
      if (spot.form() == Form.PACKETS) {
        return true;
      }
    }
    return false;
  }

  /** Packets carry their own order. */
  private static boolean isFound(Spot spot, Spot past) {
    return spot.form() == Form.PACKETS && past.form() == Form.PACKETS;
  }
}
