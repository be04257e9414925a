package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Channels;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.RemoteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A rank under construction. Numbers are given in the order of creation or of first use. */
public final class RankDraft {
  private record Remote(int rank, BufferType buffer) {}

  private final int rank;
  private final int inputChunks;
  private final int outputChunks;
  private int scratchChunks;
  private final Map<ChannelType, List<Integer>> peers = new LinkedHashMap<>();
  private final List<Channels> switches = new ArrayList<>();
  private final List<Remote> remotes = new ArrayList<>();
  private final List<Set<ChannelType>> access = new ArrayList<>();
  private final List<Integer> semaphores = new ArrayList<>();
  private final List<List<Integer>> barriers = new ArrayList<>();
  private final List<BlockDraft> blocks = new ArrayList<>();

  public RankDraft(int rank, int inputChunks, int outputChunks) {
    this.rank = rank;
    this.inputChunks = inputChunks;
    this.outputChunks = outputChunks;
  }

  public int chunks(BufferType buffer) {
    return switch (buffer) {
      case INPUT -> inputChunks;
      case OUTPUT -> outputChunks;
      case SCRATCH -> scratchChunks;
    };
  }

  /** The first of so many more chunks of scratch. */
  public int scratch(int chunks) {
    int first = scratchChunks;
    scratchChunks += chunks;
    return first;
  }

  /** The number of a new channel to a peer. */
  public int channel(ChannelType type, int peer) {
    List<Integer> ofType = peers.computeIfAbsent(type, _ -> new ArrayList<>());
    ofType.add(peer);
    return ofType.size() - 1;
  }

  /** How many channels of the type lead to the peer. */
  public int channelsTo(ChannelType type, int peer) {
    return Collections.frequency(peers.getOrDefault(type, List.of()), peer);
  }

  /** The number of a new switch channel. */
  public int switchChannel(BufferType buffer, List<Integer> ranks) {
    switches.add(new Channels.ToGroups(buffer, List.of(ranks)));
    return switches.size() - 1;
  }

  public int semaphore(int initial) {
    semaphores.add(initial);
    return semaphores.size() - 1;
  }

  /** The number of the barrier of these blocks. */
  public int barrier(List<Integer> members) {
    if (!barriers.contains(members)) {
      barriers.add(List.copyOf(members));
    }
    return barriers.indexOf(members);
  }

  /** The number of a peer's buffer, from now on reached through this type of channel too. */
  public int remoteBuffer(ChannelType type, int peer, BufferType buffer) {
    Remote remote = new Remote(peer, buffer);
    if (!remotes.contains(remote)) {
      remotes.add(remote);
      access.add(EnumSet.noneOf(ChannelType.class));
    }
    int id = remotes.indexOf(remote);
    access.get(id).add(type);
    return id;
  }

  /** A block, which exists from now on, and so do all before it. */
  public BlockDraft block(int id) {
    while (blocks.size() <= id) {
      blocks.add(new BlockDraft(blocks.size()));
    }
    return blocks.get(id);
  }

  /**
   * @param ops what becomes of a block's steps
   */
  public RankPlan toPlan(Function<List<Step>, List<Op>> ops) {
    List<Channels> channels = new ArrayList<>();
    peers.forEach((type, connectedTo) -> channels.add(new Channels.ToPeers(type, connectedTo)));
    channels.addAll(switches);
    List<RemoteBuffer> buffers = new ArrayList<>();
    for (int id = 0; id < remotes.size(); id++) {
      Remote remote = remotes.get(id);
      buffers.add(new RemoteBuffer(remote.rank, remote.buffer, List.copyOf(access.get(id))));
    }
    return new RankPlan(
        rank,
        inputChunks,
        outputChunks,
        scratchChunks,
        channels,
        buffers,
        semaphores,
        blocks.stream().map(block -> block.toPlan(ops.apply(block.steps()))).toList());
  }
}
