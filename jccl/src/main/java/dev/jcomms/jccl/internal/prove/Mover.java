package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.internal.prove.Region.Packets;
import dev.jcomms.jccl.internal.prove.Region.Piece;
import dev.jcomms.jccl.internal.prove.Resources.Home;
import dev.jcomms.jccl.internal.prove.Resources.OfRank;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.jccl.plan.PlanLayout.Range;
import dev.jcomms.jccl.plan.RemoteBuffer;
import dev.jcomms.jccl.plan.Schedule.Link;
import java.util.ArrayList;
import java.util.List;

/** Does the ops of a {@link Machine} that move data: finds the bytes, reads, combines, writes. */
final class Mover {
  private final Resources resources;

  /** The launch that each rank is in; the machine's. */
  private final int[] launch;

  private final Flaws flaws;
  private final Budget budget;
  private final Tracer tracer;
  private final Texts texts;
  private final int actors;

  Mover(Resources resources, int[] launch, Flaws flaws, Budget budget, Tracer tracer, Texts texts) {
    this.resources = resources;
    this.launch = launch;
    this.flaws = flaws;
    this.budget = budget;
    this.tracer = tracer;
    this.texts = texts;
    actors = resources.actors();
  }

  /** True if the op is done; false if it waits for packets. */
  boolean move(Cursor cursor, OfRank its, Place place, Op.Data op) {
    budget.spend(1000);
    int now = launch[cursor.rank];
    List<List<Spot>> reads = new ArrayList<>();
    List<List<Spot>> writes = new ArrayList<>();
    op.reads().forEach(access -> reads.add(spots(cursor, its, op, access)));
    op.writes().forEach(access -> writes.add(spots(cursor, its, op, access)));
    boolean port = op.via().orElse(null) == ChannelType.PORT;
    // A proxy sends packets as they are; who forwards them has found them before.
    boolean finds = !(op instanceof Op.PutPackets);
    List<Spot> allReads = reads.stream().flatMap(List::stream).toList();
    List<Spot> allWrites = writes.stream().flatMap(List::stream).toList();
    if (finds) {
      for (Spot spot : allReads) {
        if (spot.form() == Form.PACKETS) {
          Packets found = spot.region().packets(spot.from(), spot.to(), now);
          if (found == Packets.NOT_YET) {
            return false;
          }
          if (found == Packets.GONE) {
            flaws.add(
                Kind.RACE,
                List.of(place),
                "the packets that %s waits for in %s in launch %d may have been overwritten by those"
                    + " of a later launch",
                op.name(),
                texts.where(its.layout, spot, now),
                now);
          }
        }
      }
    }
    overlaps(place, op, allReads, allWrites);
    if (port) {
      boolean flushes =
          op instanceof Op.Put put && put.completion() == Op.Put.Completion.SIGNAL_AND_FLUSH;
      cursor.unsynced.asks(place, op.name(), allReads, allWrites, channels(op), flushes);
    } else {
      cursor.unsynced.touches(place, op.name(), allReads, allWrites);
    }
    boolean pairwise = op instanceof Op.Put || op instanceof Op.Get || op instanceof Op.PutPackets;
    List<List<Piece>> values = new ArrayList<>();
    if (!port || op instanceof Op.ForwardPackets) {
      Touch touch = Touch.of(cursor.actor, place, op.name(), now);
      for (List<Spot> group : reads) {
        for (Spot spot : group) {
          values.add(read(touch, spot, finds));
        }
      }
    }
    int end = cursor.actor.time() + Tracer.DATA_TIME;
    if (port) {
      for (int i = 0; i < writes.size(); i++) {
        Spot source = reads.get(op instanceof Op.ForwardPackets ? 0 : i).getFirst();
        byProxy(cursor, its, place, op, i, source, writes.get(i).getFirst());
      }
      cursor.actor.until(end);
    } else {
      cursor.actor.until(end);
      boolean packets = allWrites.stream().anyMatch(spot -> spot.form() == Form.PACKETS);
      budget.spend(packets ? actors : 0);
      Touch touch =
          packets
              ? Touch.ofPackets(cursor.actor, place, op.name(), now)
              : Touch.of(cursor.actor, place, op.name(), now);
      List<Piece> combined =
          pairwise ? null : Pieces.combine(op, values, resources.ranks.size(), budget);
      for (int i = 0; i < writes.size(); i++) {
        for (Spot spot : writes.get(i)) {
          write(touch, spot, Pieces.flagged(pairwise ? values.get(i) : combined, now));
        }
      }
    }
    return true;
  }

  /** The i-th transfer of a put on port channels. */
  private void byProxy(
      Cursor cursor, OfRank its, Place place, Op.Data op, int i, Spot source, Spot destination) {
    budget.spend(6L * actors);
    int ref = channels(op).get(i);
    Proxy proxy = its.proxy(cursor.block, ref);
    Actor actor = proxy.ask(cursor.block.id(), cursor.actor, place);
    int now = launch[cursor.rank];
    List<Piece> pieces = read(Touch.of(actor, place, op.name(), now), source, false);
    actor.spend(Tracer.DATA_TIME);
    Touch touch =
        destination.form() == Form.PACKETS
            ? Touch.ofPackets(actor, place, op.name(), now)
            : Touch.of(actor, place, op.name(), now);
    write(touch, destination, pieces);
    Op.Put.Completion completion =
        op instanceof Op.Put put ? put.completion() : Op.Put.Completion.NONE;
    if (completion != Op.Put.Completion.NONE) {
      its.out(cursor.block, ChannelType.PORT, ref).give(actor.ordered(place));
    }
    proxy.done(actor, cursor.actor, place);
    if (completion == Op.Put.Completion.SIGNAL_AND_FLUSH) {
      cursor.actor.learn(actor.ordered(place));
    }
  }

  /** The port channel of each transfer of a put. */
  private static List<Integer> channels(Op.Data op) {
    return switch (op) {
      case Op.Put put -> put.channels();
      case Op.PutPackets put -> put.channels();
      case Op.ForwardPackets put -> put.channels();
      default -> throw new AssertionError(op);
    };
  }

  private List<Piece> read(Touch touch, Spot spot, boolean finds) {
    if (tracer.isOn()) {
      Link.Kind kind = spot.form() == Form.PACKETS ? Link.Kind.PACKETS : Link.Kind.DATA;
      for (Touch writer : spot.region().writers(spot.from(), spot.to())) {
        tracer.link(kind, writer.place(), writer.time());
      }
    }
    boolean packets = spot.form() == Form.PACKETS;
    return spot.region().read(touch, spot.from(), spot.to(), spot.form(), packets && finds);
  }

  private static void write(Touch touch, Spot spot, List<Piece> pieces) {
    if (spot.from() < spot.to()) {
      spot.region().write(touch, spot.from(), spot.to(), spot.form(), pieces);
    }
  }

  /**
   * Bytes that are read at one place and written at another by the same op come out in no order.
   */
  private void overlaps(Place place, Op.Data op, List<Spot> reads, List<Spot> writes) {
    for (Spot write : writes) {
      for (Spot read : reads) {
        boolean aligned = read.from() == write.from() && read.form() == write.form();
        if (!aligned && read.overlaps(write)) {
          flaws.add(
              Kind.RACE,
              List.of(place),
              "%s writes to %s of rank %d what it reads elsewhere in the same op",
              op.name(),
              write.region().name(),
              write.region().rank());
        }
      }
    }
  }

  /** What the op means by a chunk: of one rank, or of each of a group. */
  List<Spot> spots(Cursor cursor, OfRank its, Op.Data op, Op.Access access) {
    Range range = its.layout.range(access, op.group());
    Op.Pipeline pipeline = cursor.pipeline();
    if (pipeline != null && !hasPackets(op)) {
      range = PlanLayout.unit(range, pipeline, cursor.iteration());
    }
    List<Spot> spots = new ArrayList<>();
    switch (access.chunk()) {
      case Chunk.Local local ->
          spots.add(spot(cursor.rank, cursor.rank, local.buffer(), range, access.form()));
      case Chunk.Remote remote -> {
        RemoteBuffer buffer = its.plan.remoteBuffer(cursor.block, op.via().orElseThrow(), remote);
        spots.add(spot(cursor.rank, buffer.rank(), buffer.buffer(), range, access.form()));
      }
      case Chunk.Switch chunk -> {
        int id = cursor.block.channel(ChannelType.SWITCH, chunk.ref()).orElseThrow();
        var channel = its.switches.get(id);
        for (int member : channel.ranks()) {
          spots.add(spot(cursor.rank, member, channel.buffer(), range, access.form()));
        }
      }
    }
    return spots;
  }

  /** Packets are sent whole at every iteration of a pipeline. */
  private static boolean hasPackets(Op.Data op) {
    return op.reads().stream().anyMatch(access -> access.form() == Form.PACKETS)
        || op.writes().stream().anyMatch(access -> access.form() == Form.PACKETS);
  }

  private Spot spot(int by, int owner, BufferType buffer, Range range, Form form) {
    Home home = resources.ranks.get(owner).home(buffer);
    long base =
        buffer == BufferType.SCRATCH
            ? resources.ranks.get(owner).layout.scratchOffset(launch[by])
            : home.base();
    return new Spot(home.region(), base + range.offset(), base + range.end(), form);
  }
}
