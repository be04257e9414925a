package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.plan.Channels;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Copies every block, channel, semaphore and barrier of a rank, so that several instances of the
 * program run side by side: number {@code v} becomes {@code v * instances + instance}. Numbers that
 * only a block knows stay.
 *
 * <p>What an instance works on is the policy's: its own chunks out of as many times more
 * (interleaved), or its own slice of the same chunks.
 */
public final class Replicas {
  private final int instances;
  private final boolean slices;

  /**
   * @param slices whether instances share chunks, each doing a slice of them
   */
  public Replicas(int instances, boolean slices) {
    this.instances = instances;
    this.slices = slices;
  }

  public RankPlan of(RankPlan rank) {
    if (instances == 1) {
      return rank;
    }
    int chunkFactor = slices ? 1 : instances;
    List<ThreadBlock> blocks = new ArrayList<>();
    for (ThreadBlock block : rank.blocks()) {
      for (int k = 0; k < instances; k++) {
        blocks.add(instance(block, k));
      }
    }
    return new RankPlan(
        rank.rank(),
        rank.inputChunks() * chunkFactor,
        rank.outputChunks() * chunkFactor,
        rank.scratchChunks() * chunkFactor,
        channels(rank.channels()),
        rank.remoteBuffers(),
        repeated(rank.semaphores()),
        blocks);
  }

  private List<Channels> channels(List<Channels> channels) {
    List<Channels> copies = new ArrayList<>();
    for (Channels some : channels) {
      switch (some) {
        case Channels.ToPeers(var type, var connectedTo) ->
            copies.add(new Channels.ToPeers(type, repeated(connectedTo)));
        case Channels.ToGroups groups -> copies.addAll(Collections.nCopies(instances, groups));
      }
    }
    return copies;
  }

  private <T> List<T> repeated(List<T> items) {
    return items.stream().flatMap(item -> Collections.nCopies(instances, item).stream()).toList();
  }

  private ThreadBlock instance(ThreadBlock block, int k) {
    Instance instance = new Instance(k);
    return new ThreadBlock(
        instance.id(block.id()),
        block.ops().stream().map(instance::op).toList(),
        block.channels().stream()
            .map(refs -> new ThreadBlock.Refs(refs.type(), instance.ids(refs.ids())))
            .toList(),
        block.remoteBuffers());
  }

  private final class Instance {
    private final int k;

    Instance(int k) {
      this.k = k;
    }

    int id(int id) {
      return id * instances + k;
    }

    List<Integer> ids(List<Integer> ids) {
      return ids.stream().map(this::id).toList();
    }

    Op op(Op op) {
      return switch (op) {
        case Op.Nop _, Op.Signal _, Op.Wait _, Op.Flush _ -> op;
        case Op.Barrier(int id, int blocks) -> new Op.Barrier(id(id), blocks);
        case Op.Acquire(var semaphores) -> new Op.Acquire(ids(semaphores));
        case Op.Release(var semaphores) -> new Op.Release(ids(semaphores));
        case Op.Pipeline(long unitBytes, int chunks, var ops) ->
            new Op.Pipeline(unitBytes, chunks, ops.stream().map(this::op).toList());
        case Op.Copy(var source, var destination, var packing, var group) ->
            new Op.Copy(local(source), local(destination), packing, group(group));
        case Op.Put(var type, var from, var to, var channels, var completion, var group) ->
            new Op.Put(type, locals(from), remotes(to), channels, completion, group(group));
        case Op.Get(var from, var to, var channels, var group) ->
            new Op.Get(remotes(from), locals(to), channels, group(group));
        case Op.PutPackets(var type, var from, var to, var channels, var group) ->
            new Op.PutPackets(type, locals(from), remotes(to), channels, group(group));
        case Op.ForwardPackets(var type, var from, var to, var channels, var group) ->
            new Op.ForwardPackets(type, local(from), remotes(to), channels, group(group));
        case Op.Reduce re ->
            new Op.Reduce(
                re.reduction(),
                locals(re.sources()),
                remotes(re.remoteSources()),
                local(re.destination()),
                remotes(re.remoteDestinations()),
                group(re.group()));
        case Op.ReducePackets re ->
            new Op.ReducePackets(
                re.reduction(),
                local(re.source()),
                locals(re.packets()),
                local(re.destination()),
                locals(re.packetCopies()),
                remotes(re.remoteDestinations()),
                group(re.group()));
        case Op.SwitchReduce re ->
            new Op.SwitchReduce(
                re.reduction(),
                re.buffer(),
                index(re.index(), re.chunks()),
                re.chunks(),
                local(re.destination()),
                re.channels(),
                group(re.group()));
        case Op.SwitchReduceStore(var reduction, var from, var to, var group) ->
            new Op.SwitchReduceStore(reduction, onSwitch(from), onSwitch(to), group(group));
        case Op.SwitchStore(var from, var to, var form, var group) ->
            new Op.SwitchStore(local(from), onSwitch(to), form, group(group));
      };
    }

    private int index(int index, int chunks) {
      return slices ? index : index * instances + k * chunks;
    }

    private Group group(Group group) {
      if (!slices) {
        return group;
      }
      return group.isNone()
          ? new Group(k, instances)
          : new Group(group.member() * instances + k, group.blocks() * instances);
    }

    private Chunk.Local local(Chunk.Local chunk) {
      return new Chunk.Local(chunk.buffer(), index(chunk.index(), chunk.chunks()), chunk.chunks());
    }

    private List<Chunk.Local> locals(List<Chunk.Local> chunks) {
      return chunks.stream().map(this::local).toList();
    }

    private List<Chunk.Remote> remotes(List<Chunk.Remote> chunks) {
      return chunks.stream()
          .map(
              chunk ->
                  new Chunk.Remote(
                      chunk.ref(), index(chunk.index(), chunk.chunks()), chunk.chunks()))
          .toList();
    }

    private Chunk.Switch onSwitch(Chunk.Switch chunk) {
      return new Chunk.Switch(chunk.ref(), index(chunk.index(), chunk.chunks()), chunk.chunks());
    }
  }
}
