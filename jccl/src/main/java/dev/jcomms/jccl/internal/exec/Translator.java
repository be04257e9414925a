package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.internal.exec.SyncSteps.Line;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.RemoteBuffer;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.List;

/** Turns a block's ops into steps: numbers of the plan into channels, chunks into bytes. */
final class Translator {
  private final int rank;
  private final RankPlan own;
  private final PlanLayout[] layouts;
  private final Fixtures fixtures;

  /**
   * @param layouts of all ranks
   */
  Translator(int rank, PlanLayout[] layouts, Fixtures fixtures) {
    this.rank = rank;
    this.own = layouts[rank].rank();
    this.layouts = layouts;
    this.fixtures = fixtures;
  }

  Block translate(ThreadBlock block) {
    List<Step> steps = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < block.ops().size(); i++) {
      Op op = block.ops().get(i);
      add(op, block, steps);
      while (names.size() < steps.size()) {
        names.add(i + " (" + op.name() + ")");
      }
    }
    return new Block(block.id(), steps, names);
  }

  private void add(Op op, ThreadBlock block, List<Step> steps) {
    switch (op) {
      case Op.Nop _ -> {} // a block is one thread
      case Op.Barrier(int id, int blocks) ->
          steps.add(new SyncSteps.Barrier(rank, id, blocks, fixtures.barrier(id)));
      case Op.Signal(var type, var channels, _) ->
          steps.add(new SyncSteps.Signal(lines(block, type, channels)));
      case Op.Wait(var type, var channels, _) ->
          steps.add(new SyncSteps.Wait(lines(block, type, channels)));
      case Op.Flush(var channels) ->
          steps.add(new SyncSteps.Flush(lines(block, ChannelType.PORT, channels)));
      case Op.Acquire(var ids) ->
          steps.add(new SyncSteps.Acquire(rank, numbers(ids), fixtures.semaphores()));
      case Op.Release(var ids) ->
          steps.add(new SyncSteps.Release(rank, numbers(ids), fixtures.semaphores()));
      case Op.Pipeline loop -> {
        List<Step> inner = new ArrayList<>();
        loop.ops().forEach(each -> add(each, block, inner));
        if (!inner.isEmpty()) {
          long units = layouts[rank].units(loop);
          steps.add(new LoopStep(inner.toArray(Step[]::new), loop.unitBytes(), units));
        }
      }
      case Op.Data data -> data(data, block, steps);
    }
  }

  private void data(Op.Data op, ThreadBlock block, List<Step> steps) {
    Group group = op.group();
    switch (op) {
      case Op.Copy copy -> {
        Spot from = spot(copy.source(), group);
        Spot to = spot(copy.destination(), group);
        steps.add(
            switch (copy.packing()) {
              case NONE -> new MoveStep(from, to);
              case PACK -> new PackStep(from, to);
              case UNPACK -> new UnpackStep(from, to);
            });
      }
      case Op.Put put -> {
        for (int i = 0; i < put.sources().size(); i++) {
          Spot to = spot(block, put.type(), put.destinations().get(i), group);
          steps.add(new MoveStep(spot(put.sources().get(i), group), to));
        }
        if (put.completion() != Op.Put.Completion.NONE) {
          steps.add(new SyncSteps.Signal(lines(block, put.type(), put.channels())));
        }
        if (put.completion() == Op.Put.Completion.SIGNAL_AND_FLUSH) {
          steps.add(new SyncSteps.Flush(lines(block, put.type(), put.channels())));
        }
      }
      case Op.Get get -> {
        for (int i = 0; i < get.sources().size(); i++) {
          Spot from = spot(block, ChannelType.MEMORY, get.sources().get(i), group);
          steps.add(new MoveStep(from, spot(get.destinations().get(i), group)));
        }
      }
      case Op.PutPackets put -> {
        for (int i = 0; i < put.sources().size(); i++) {
          Spot from = spot(put.sources().get(i), group);
          Spot to = spot(block, put.type(), put.destinations().get(i), group);
          steps.add(
              put.type() == ChannelType.PORT
                  ? new ForwardStep(from, List.of(to))
                  : new PackStep(from, to));
        }
      }
      case Op.ForwardPackets forward -> {
        List<Spot> to = spots(block, forward.type(), forward.destinations(), group);
        steps.add(new ForwardStep(spot(forward.source(), group), to));
      }
      case Op.Reduce reduce -> {
        List<Spot> from = spots(reduce.sources(), group);
        from.addAll(spots(block, ChannelType.MEMORY, reduce.remoteSources(), group));
        List<Spot> others = spots(block, ChannelType.MEMORY, reduce.remoteDestinations(), group);
        Spot to = spot(reduce.destination(), group);
        steps.add(new FoldStep(reduce.reduction(), from, to, others));
      }
      case Op.ReducePackets reduce -> {
        List<Spot> copies = spots(reduce.packetCopies(), group);
        copies.addAll(spots(block, ChannelType.MEMORY, reduce.remoteDestinations(), group));
        steps.add(
            new FoldPacketsStep(
                reduce.reduction(),
                spot(reduce.source(), group),
                spots(reduce.packets(), group),
                spot(reduce.destination(), group),
                copies));
      }
      case Op.SwitchReduce reduce -> {
        List<Spot> from = members(block, reduce.source(), group);
        Spot to = spot(reduce.destination(), group);
        steps.add(new FoldStep(reduce.reduction(), from, to, List.of()));
      }
      case Op.SwitchReduceStore reduce -> {
        List<Spot> from = members(block, reduce.source(), group);
        List<Spot> to = members(block, reduce.destination(), group);
        Spot mine = to.stream().filter(spot -> spot.rank() == rank).findFirst().orElseThrow();
        to.remove(mine);
        steps.add(new FoldStep(reduce.reduction(), from, mine, to));
      }
      case Op.SwitchStore store -> {
        Spot from = spot(store.source(), group);
        List<Spot> to = members(block, store.destination(), group);
        steps.add(
            store.form() == Op.Form.PACKETS
                ? new ForwardStep(from, to)
                : new MoveStep(from, to.toArray(Spot[]::new)));
      }
    }
  }

  private Line[] lines(ThreadBlock block, ChannelType type, List<Integer> refs) {
    return refs.stream()
        .map(ref -> fixtures.line(type, block.channel(type, ref).orElseThrow()))
        .toArray(Line[]::new);
  }

  private static int[] numbers(List<Integer> ids) {
    return ids.stream().mapToInt(Integer::intValue).toArray();
  }

  private Spot spot(Chunk.Local chunk, Group group) {
    PlanLayout.Range range = layouts[rank].range(chunk, group);
    return new Spot(rank, chunk.buffer(), range.offset(), range.bytes());
  }

  private List<Spot> spots(List<Chunk.Local> chunks, Group group) {
    List<Spot> spots = new ArrayList<>();
    chunks.forEach(chunk -> spots.add(spot(chunk, group)));
    return spots;
  }

  private Spot spot(ThreadBlock block, ChannelType type, Chunk.Remote chunk, Group group) {
    RemoteBuffer buffer = own.remoteBuffer(block, type, chunk);
    PlanLayout.Range range = layouts[buffer.rank()].range(chunk, group);
    return new Spot(buffer.rank(), buffer.buffer(), range.offset(), range.bytes());
  }

  private List<Spot> spots(
      ThreadBlock block, ChannelType type, List<Chunk.Remote> chunks, Group group) {
    List<Spot> spots = new ArrayList<>();
    chunks.forEach(chunk -> spots.add(spot(block, type, chunk, group)));
    return spots;
  }

  /** The same chunk of every rank of a switch channel, in the order of the group. */
  private List<Spot> members(ThreadBlock block, Chunk.Switch chunk, Group group) {
    RankPlan.SwitchChannel channel = own.switchChannel(block, chunk);
    List<Spot> spots = new ArrayList<>();
    for (int member : channel.ranks()) {
      PlanLayout.Range range = layouts[member].range(chunk, group);
      spots.add(new Spot(member, channel.buffer(), range.offset(), range.bytes()));
    }
    return spots;
  }
}
