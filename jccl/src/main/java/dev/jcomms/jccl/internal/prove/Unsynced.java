package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the threads of one block have done since they last met. On a GPU they are in no order until
 * a {@code nop} or a barrier; where a block is one thread it does not matter.
 *
 * <p>All threads take part in an op on data, and the first of them does the first of several
 * signals, waits or transfers of a proxy, the second the second. So one thread's waits, requests
 * and signals are in order without a nop; and so are two ops on packets that begin at the same
 * byte, of which a thread does the same packets.
 */
final class Unsynced {
  private record Past(Spot spot, boolean writes, boolean packets, Place place, String what) {}

  /** A transfer that a thread has asked a proxy for. */
  private record Request(int thread, Place place, String what) {}

  private final List<Past> touches = new ArrayList<>();

  /** Threads that have waited, and where. */
  private final Map<Integer, Place> waited = new TreeMap<>();

  /** The last request for each port channel. */
  private final Map<Integer, Request> requests = new HashMap<>();

  private final Flaws flaws;
  private final Budget budget;

  Unsynced(Flaws flaws, Budget budget) {
    this.flaws = flaws;
    this.budget = budget;
  }

  void meet() {
    touches.clear();
    waited.clear();
    requests.clear();
  }

  /** So many threads wait; the others go on. */
  void waits(Place place, int threads) {
    for (int thread = 0; thread < threads; thread++) {
      waited.put(thread, place);
    }
  }

  /** So many threads give a signal each, perhaps before the others are done. */
  void signals(Place place, String what, int threads) {
    if (!touches.isEmpty()) {
      Past past = touches.getLast();
      flaws.add(
          Kind.MISSING_NOP,
          List.of(place, past.place()),
          "%s may come before all threads have done their part of %s; a nop between them is missing",
          what,
          past.what());
    }
    follows(place, what, threads);
  }

  /** A signal to a proxy, or a flush of it, is for what it was asked before. */
  void ports(Place place, String what, List<Integer> channels) {
    for (int thread = 0; thread < channels.size(); thread++) {
      Request before = requests.get(channels.get(thread));
      if (before != null && before.thread() != thread) {
        flaws.add(
            Kind.MISSING_NOP,
            List.of(place, before.place()),
            "%s may come before %s, which another thread asks for; a nop between them is missing",
            what,
            before.what());
      }
    }
  }

  /** All threads take part. */
  void touches(Place place, String what, List<Spot> reads, List<Spot> writes) {
    if (!waited.isEmpty()) {
      early(place, what, waited.values().iterator().next());
    }
    compare(place, what, reads, writes);
    remember(place, what, reads, writes);
  }

  /**
   * One thread for each transfer asks a proxy for it.
   *
   * @param channels one for each transfer
   * @param done whether that thread also waits until it is done
   */
  void asks(
      Place place,
      String what,
      List<Spot> reads,
      List<Spot> writes,
      List<Integer> channels,
      boolean done) {
    follows(place, what, channels.size());
    compare(place, what, reads, writes);
    for (int thread = 0; thread < channels.size(); thread++) {
      requests.put(channels.get(thread), new Request(thread, place, what));
    }
    if (done) {
      remember(place, what, reads, List.of());
    }
  }

  /** Single threads go on, each of which knows only of its own waits. */
  private void follows(Place place, String what, int threads) {
    for (Map.Entry<Integer, Place> other : waited.entrySet()) {
      if (threads > 1 || other.getKey() > 0) {
        early(place, what, other.getValue());
        return;
      }
    }
  }

  private void early(Place place, String what, Place wait) {
    flaws.add(
        Kind.MISSING_NOP,
        List.of(place, wait),
        "threads may begin %s before one of them has waited; a nop between the two is missing",
        what);
  }

  private void compare(Place place, String what, List<Spot> reads, List<Spot> writes) {
    boolean packets = hasPackets(reads) || hasPackets(writes);
    budget.spend(50L * touches.size() * (reads.size() + writes.size()));
    for (Past past : touches) {
      if (meets(past, packets, reads, writes)) {
        flaws.add(
            hasPackets(reads) && past.packets() ? Kind.UNSURE_NOP : Kind.MISSING_NOP,
            List.of(place, past.place()),
            "threads may do their part of %s before others have done theirs of %s on the same bytes;"
                + " a nop between the two is missing",
            what,
            past.what());
      }
    }
  }

  private static boolean meets(Past past, boolean packets, List<Spot> reads, List<Spot> writes) {
    for (Spot spot : writes) {
      if (spot.overlaps(past.spot()) && !isSameThread(past, packets, spot)) {
        return true;
      }
    }
    if (past.writes()) {
      for (Spot spot : reads) {
        if (spot.overlaps(past.spot())
            && !isFound(spot, past.spot())
            && !isSameThread(past, packets, spot)) {
          return true;
        }
      }
    }
    return false;
  }

  private void remember(Place place, String what, List<Spot> reads, List<Spot> writes) {
    boolean packets = hasPackets(reads) || hasPackets(writes);
    reads.forEach(spot -> remember(new Past(spot, false, packets, place, what)));
    writes.forEach(spot -> remember(new Past(spot, true, packets, place, what)));
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

  private static boolean isSameThread(Past past, boolean packets, Spot spot) {
    return packets
        && past.packets()
        && past.spot().form() == spot.form()
        && past.spot().from() == spot.from();
  }
}
