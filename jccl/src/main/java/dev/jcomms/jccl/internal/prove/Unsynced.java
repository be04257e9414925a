package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.internal.prove.Machine.Spot;
import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
    boolean packets =
        Stream.concat(reads.stream(), writes.stream())
            .anyMatch(spot -> spot.form() == Form.PACKETS);
    budget.spend(20L * touches.size());
    for (Past past : touches) {
      boolean meets =
          writes.stream().anyMatch(spot -> spot.overlaps(past.spot()))
              || past.writes()
                  && reads.stream()
                      .anyMatch(spot -> spot.overlaps(past.spot()) && !isFound(spot, past.spot()));
      if (meets) {
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
      reads.forEach(spot -> touches.add(new Past(spot, false, packets, place, what)));
      writes.forEach(spot -> touches.add(new Past(spot, true, packets, place, what)));
    }
  }

  /** Packets carry their own order. */
  private static boolean isFound(Spot spot, Spot past) {
    return spot.form() == Form.PACKETS && past.form() == Form.PACKETS;
  }
}
