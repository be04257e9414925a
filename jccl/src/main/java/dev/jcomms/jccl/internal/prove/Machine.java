package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.internal.prove.Region.Packets;
import dev.jcomms.jccl.internal.prove.Region.Piece;
import dev.jcomms.jccl.internal.prove.Resources.Home;
import dev.jcomms.jccl.internal.prove.Resources.OfRank;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Schedule.Link;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a plan on symbolic contents, for one size of chunk, launch after launch, and looks at every
 * touch of memory.
 *
 * <p>One order of running is enough. Blocks wait for counts, barriers and packets, never for which
 * of two comes first; so every order makes the same moves, and clocks tell which of them are in an
 * order at all. Where blocks do compete for a count, the taker waits until nobody else can go on,
 * and then learns no more than in the worst order.
 *
 * <p>Between launches a rank's caller takes its output and gives it new input, without a word to
 * the callers of other ranks: so what reaches into a rank's buffers too early or too late is found.
 */
final class Machine {
  private static final class Meeting {
    final List<Stamp> stamps = new ArrayList<>();
    List<Stamp> last = List.of();
    int opened;
  }

  private final Plan plan;
  private final int launches;
  private final Flaws flaws;
  private final Budget budget;
  private final Tracer tracer;
  private final Resources resources;
  private final Outcome outcome;
  private final Texts texts;
  private final Mover mover;
  private final int actors;
  private final List<Cursor> cursors = new ArrayList<>();
  private final int[] launch;
  private final List<Map<Integer, Meeting>> barriers = new ArrayList<>();

  Machine(Plan plan, long chunkBytes, int launches, Flaws flaws, Budget budget, Tracer tracer) {
    this.plan = plan;
    this.launches = launches;
    this.flaws = flaws;
    this.budget = budget;
    this.tracer = tracer;
    texts = new Texts(chunkBytes);
    actors = Resources.countActors(plan);
    resources = new Resources(plan, chunkBytes, this::race, budget);
    outcome = new Outcome(plan, texts);
    launch = new int[plan.ranks().size()];
    mover = new Mover(resources, launch, flaws, budget, tracer, texts);
    for (OfRank rank : resources.ranks) {
      barriers.add(new HashMap<>());
      for (ThreadBlock block : rank.plan.blocks()) {
        cursors.add(
            new Cursor(
                rank.plan.rank(),
                block,
                rank.blocks.get(block.id()),
                rank.layout,
                new Unsynced(flaws, budget)));
      }
    }
  }

  /** Lets later blocks go first where the order matters. */
  void reverse() {
    Collections.reverse(cursors);
  }

  void run() {
    for (int rank = 0; rank < launch.length; rank++) {
      begin(rank);
    }
    while (advance()) {
      budget.spend(cursors.size());
    }
    List<Cursor> stuck = cursors.stream().filter(cursor -> !cursor.isDone()).toList();
    stuck.forEach(
        cursor -> flaws.add(Kind.DEADLOCK, List.of(cursor.place()), "%s", waitsFor(cursor)));
    if (stuck.isEmpty()) {
      for (Counter counter : resources.counters) {
        if (counter.drift() != 0) {
          flaws.add(
              Kind.UNBALANCED,
              List.of(Place.PLAN),
              "%s is %s by %d after %d launches: those that follow will not wait as this one did",
              counter.name(),
              counter.drift() > 0 ? "too high" : "too low",
              Math.abs(counter.drift()),
              launches);
        }
      }
    }
    outcome.report(flaws);
  }

  Outcome outcome() {
    return outcome;
  }

  /**
   * One round: everything that can go on without a contested count; else one block by such a one.
   */
  private boolean advance() {
    boolean moved = false;
    for (Cursor cursor : cursors) {
      while (!cursor.isDone() && step(cursor, false)) {
        moved = true;
      }
    }
    for (int rank = 0; rank < launch.length; rank++) {
      moved |= launch[rank] <= launches && hasEnded(rank) && next(rank);
    }
    if (moved) {
      return true;
    }
    for (Cursor cursor : cursors) {
      if (!cursor.isDone() && step(cursor, true)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasEnded(int rank) {
    return cursors.stream().allMatch(cursor -> cursor.rank != rank || cursor.isDone());
  }

  private boolean next(int rank) {
    end(rank);
    if (launch[rank] == launches) {
      launch[rank]++;
    } else {
      begin(rank);
    }
    return true;
  }

  /** The caller puts new input in place; the output holds nothing in particular. */
  private void begin(int rank) {
    OfRank its = resources.ranks.get(rank);
    launch[rank]++;
    Touch touch = Touch.of(its.caller, Place.rank(rank), "its caller", launch[rank]);
    Home out = its.home(BufferType.OUTPUT);
    Home in = its.home(BufferType.INPUT);
    fill(touch, out, its.layout.outputBytes(), Value.UNDEFINED);
    fill(touch, in, its.layout.inputBytes(), Value.of(new Value.Term(launch[rank], rank, 0)));
    Stamp start = its.caller.ordered(Place.rank(rank));
    List<Actor> all = new ArrayList<>(its.blocks);
    its.proxies.forEach(proxy -> proxy.actors().forEach(all::add));
    for (Actor actor : all) {
      budget.spend(4L * actors);
      actor.learn(start);
      actor.settle();
    }
    for (Cursor cursor : cursors) {
      if (cursor.rank == rank) {
        cursor.unsynced.meet();
        cursor.restart();
      }
    }
  }

  private static void fill(Touch touch, Home home, long bytes, Value value) {
    if (bytes > 0) {
      home.region()
          .write(
              touch,
              home.base(),
              home.base() + bytes,
              Form.DATA,
              List.of(new Piece(0, bytes, value, 0)));
    }
  }

  /** The caller takes its output once all blocks have ended and the proxy has nothing to do. */
  private void end(int rank) {
    OfRank its = resources.ranks.get(rank);
    Place place = Place.rank(rank);
    its.blocks.forEach(block -> its.caller.learn(block.ordered(place)));
    its.proxies.forEach(
        proxy -> proxy.actors().forEach(actor -> its.caller.learn(actor.ordered(place))));
    budget.spend(4L * actors * its.blocks.size());
    its.caller.settle();
    Touch touch = Touch.of(its.caller, place, "its caller", launch[rank]);
    Home in = its.home(BufferType.INPUT);
    if (!plan.inPlace()) {
      for (Touch writer : in.region().writers(0, its.layout.inputBytes())) {
        if (writer.actor() != its.caller) {
          flaws.add(
              Kind.INPUT_WRITTEN,
              List.of(writer.place()),
              "%s writes to the input of rank %d, though the plan is not in place",
              writer.what(),
              rank);
        }
      }
    }
    Home out = its.home(BufferType.OUTPUT);
    long from = out.base();
    List<Piece> pieces =
        out.region().read(touch, from, from + its.layout.outputBytes(), Form.DATA, false);
    outcome.output(
        its.layout,
        launch[rank],
        pieces,
        piece -> out.region().writers(from + piece.from(), from + piece.to()));
  }

  /** True if the op is done; false if it must wait. */
  private boolean step(Cursor cursor, boolean patient) {
    budget.spend(100);
    OfRank its = resources.ranks.get(cursor.rank);
    Place place = cursor.place();
    Op op = cursor.op();
    boolean done =
        switch (op) {
          case Op.Nop() -> {
            cursor.unsynced.meet();
            yield true;
          }
          case Op.Pipeline _ -> throw new AssertionError("pipelines do not nest");
          case Op.Barrier(int id, int blocks) -> barrier(cursor, place, id, blocks);
          case Op.Signal(var type, var refs, var ordering) -> {
            cursor.unsynced.signals(place, op.name(), refs.size());
            if (type == ChannelType.PORT) {
              cursor.unsynced.ports(place, op.name(), refs);
            }
            cursor.actor.spend(1);
            boolean relaxed = ordering == Op.Ordering.RELAXED;
            for (int ref : refs) {
              signal(cursor, its, place, type, ref, relaxed);
            }
            yield true;
          }
          case Op.Wait(var type, var refs, _) ->
              take(
                  cursor,
                  place,
                  refs.stream().map(ref -> its.in(cursor.block, type, ref)).toList(),
                  patient);
          case Op.Acquire(var ids) ->
              take(cursor, place, ids.stream().map(its.semaphores::get).toList(), patient);
          case Op.Release(var ids) -> {
            cursor.unsynced.signals(place, op.name(), ids.size());
            cursor.actor.spend(1);
            budget.spend(actors);
            Stamp stamp = cursor.actor.ordered(place);
            ids.forEach(id -> its.semaphores.get(id).give(stamp));
            yield true;
          }
          case Op.Flush(var refs) -> {
            for (int ref : refs) {
              flush(cursor, its, place, ref);
            }
            cursor.unsynced.ports(place, op.name(), refs);
            cursor.unsynced.waits(place, refs.size());
            cursor.actor.spend(1);
            yield true;
          }
          case Op.Data data -> mover.move(cursor, its, place, data);
        };
    if (done) {
      tracer.step(place, op, cursor.actor.time());
      cursor.advance();
    }
    return done;
  }

  private boolean barrier(Cursor cursor, Place place, int id, int blocks) {
    Meeting meeting = barriers.get(cursor.rank).computeIfAbsent(id, _ -> new Meeting());
    if (cursor.arrived < 0) {
      cursor.arrived = meeting.opened;
      budget.spend(actors);
      meeting.stamps.add(cursor.actor.ordered(place));
      if (meeting.stamps.size() == blocks) {
        meeting.last = List.copyOf(meeting.stamps);
        meeting.stamps.clear();
        meeting.opened++;
      }
    }
    if (cursor.arrived == meeting.opened) {
      return false;
    }
    for (Stamp stamp : meeting.last) {
      budget.spend(2L * actors);
      cursor.actor.learn(stamp);
    }
    cursor.arrived = -1;
    cursor.unsynced.meet();
    cursor.actor.spend(1);
    return true;
  }

  private void signal(
      Cursor cursor, OfRank its, Place place, ChannelType type, int ref, boolean relaxed) {
    budget.spend(2L * actors);
    Actor actor = cursor.actor;
    if (type == ChannelType.PORT) {
      actor = its.proxy(cursor.block, ref).ask(cursor.block.id(), cursor.actor, place);
    }
    its.out(cursor.block, type, ref).give(relaxed ? actor.relaxed(place) : actor.ordered(place));
    if (type == ChannelType.PORT) {
      its.proxy(cursor.block, ref).done(actor, cursor.actor, place);
    }
  }

  private void flush(Cursor cursor, OfRank its, Place place, int ref) {
    budget.spend(4L * actors);
    Actor proxy = its.proxy(cursor.block, ref).ask(cursor.block.id(), cursor.actor, place);
    cursor.actor.learn(proxy.ordered(place));
  }

  private boolean take(Cursor cursor, Place place, List<Counter> counters, boolean patient) {
    Map<Counter, Integer> needed = new HashMap<>();
    counters.forEach(counter -> needed.merge(counter, 1, Integer::sum));
    for (Counter counter : counters) {
      if (counter.isContested() && !patient || counter.value() < needed.get(counter)) {
        return false;
      }
    }
    for (Counter counter : counters) {
      if (counter.hasRivals()) {
        compete(cursor, counter);
      }
      budget.spend(2L * actors);
      Touch touch = Touch.of(cursor.actor, place, cursor.op().name(), launch[cursor.rank]);
      Stamp from = counter.take(touch, budget);
      if (from != null) {
        tracer.link(Link.Kind.SIGNAL, from.place(), from.time());
      }
    }
    cursor.actor.ordered(place); // So that other takers can know that this one has taken.
    cursor.unsynced.waits(place, counters.size());
    cursor.actor.spend(1);
    return true;
  }

  /** If there is not enough for all who wait, it matters who gets it. */
  private void compete(Cursor cursor, Counter counter) {
    List<Place> rivals = new ArrayList<>(List.of(cursor.place()));
    for (Cursor other : cursors) {
      if (other != cursor && !other.isDone() && waitsOn(other, counter)) {
        rivals.add(other.place());
      }
    }
    if (rivals.size() > counter.value()) {
      flaws.add(
          Kind.COMPETITION,
          rivals,
          "they compete for %s, and who is first may matter; only two orders were tried",
          counter.name());
    }
  }

  private boolean waitsOn(Cursor cursor, Counter counter) {
    OfRank its = resources.ranks.get(cursor.rank);
    return switch (cursor.op()) {
      case Op.Wait(var type, var refs, _) ->
          refs.stream().anyMatch(ref -> its.in(cursor.block, type, ref) == counter);
      case Op.Acquire(var ids) -> ids.stream().anyMatch(id -> its.semaphores.get(id) == counter);
      default -> false;
    };
  }

  private void race(Region region, long from, long to, Form form, Region.Conflict conflict) {
    Touch later = conflict.later();
    Touch earlier = conflict.earlier();
    OfRank its = resources.ranks.get(region.rank());
    String where = texts.where(its.layout, new Spot(region, from, to, form), later.launch());
    flaws.add(
        Kind.RACE,
        later.place().equals(earlier.place())
            ? List.of(later.place())
            : List.of(later.place(), earlier.place()),
        "%s %s %s, and %s%s %s it: nothing says which comes first",
        later.what(),
        conflict.laterWrites() ? "writes" : "reads",
        where,
        earlier.what(),
        earlier.launch() == later.launch()
            ? ""
            : " (launch %d against %d)".formatted(earlier.launch(), later.launch()),
        conflict.earlierWrites() ? "writes" : "reads");
  }

  private String waitsFor(Cursor cursor) {
    OfRank its = resources.ranks.get(cursor.rank);
    String launched = launch[cursor.rank] > 1 ? " in launch " + launch[cursor.rank] : "";
    return switch (cursor.op()) {
      case Op.Wait(var type, var refs, _) -> {
        Counter missing =
            refs.stream()
                .map(ref -> its.in(cursor.block, type, ref))
                .filter(counter -> counter.value() < 1)
                .findFirst()
                .orElseGet(() -> its.in(cursor.block, type, refs.getFirst()));
        yield "waits for ever%s for a signal on %s; %s"
            .formatted(
                launched,
                missing.name(),
                missing.hasGiver()
                    ? "it is for " + missing.givers() + " to give"
                    : "nobody gives one");
      }
      case Op.Acquire(var ids) -> {
        Counter missing =
            ids.stream()
                .map(its.semaphores::get)
                .filter(counter -> counter.value() < 1)
                .findFirst()
                .orElseGet(() -> its.semaphores.get(ids.getFirst()));
        yield "waits for ever%s for %s; %s"
            .formatted(
                launched,
                missing.name(),
                missing.hasGiver()
                    ? "it is for " + missing.givers() + " to release"
                    : "nobody releases it");
      }
      case Op.Barrier(int id, int blocks) ->
          "waits for ever%s at barrier %d, where %d of %d blocks have come"
              .formatted(launched, id, barriers.get(cursor.rank).get(id).stamps.size(), blocks);
      case Op.Data data -> {
        int now = launch[cursor.rank];
        String where =
            data.reads().stream()
                .filter(access -> access.form() == Form.PACKETS)
                .flatMap(access -> mover.spots(cursor, its, data, access).stream())
                .filter(spot -> spot.region().packets(spot.from(), spot.to(), now) != Packets.THERE)
                .findFirst()
                .map(spot -> texts.where(its.layout, spot, now))
                .orElse("scratch");
        yield "waits for ever%s for packets in %s that nobody sends".formatted(launched, where);
      }
      default -> throw new AssertionError(cursor.op());
    };
  }
}
