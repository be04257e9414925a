package dev.jcomms.jccl.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * What one rank of a {@link Plan} has and does: a {@code gpus} entry of the format.
 *
 * @param rank the position in the plan
 * @param semaphores initial values; the position is the semaphore's id
 */
public record RankPlan(
    int rank,
    int inputChunks,
    int outputChunks,
    int scratchChunks,
    List<Channels> channels,
    List<RemoteBuffer> remoteBuffers,
    List<Integer> semaphores,
    List<ThreadBlock> blocks) {
  /** A switch channel of a rank: the same buffer of every rank of a group. */
  public record SwitchChannel(BufferType buffer, List<Integer> ranks) {}

  public RankPlan {
    channels = List.copyOf(channels);
    remoteBuffers = List.copyOf(remoteBuffers);
    semaphores = List.copyOf(semaphores);
    blocks = List.copyOf(blocks);
  }

  /** Chunks of one of the rank's own buffers. */
  public int chunks(BufferType buffer) {
    return switch (buffer) {
      case INPUT -> inputChunks;
      case OUTPUT -> outputChunks;
      case SCRATCH -> scratchChunks;
    };
  }

  /** Where the rank's memory or port channels lead: the position is the channel's id. */
  public List<Integer> peers(ChannelType type) {
    List<Integer> peers = new ArrayList<>();
    for (Channels some : channels) {
      if (some instanceof Channels.ToPeers(var its, var connectedTo) && its == type) {
        peers.addAll(connectedTo);
      }
    }
    return peers;
  }

  /** The rank's switch channels: the position is the channel's id. */
  public List<SwitchChannel> switches() {
    List<SwitchChannel> switches = new ArrayList<>();
    for (Channels some : channels) {
      if (some instanceof Channels.ToGroups(var buffer, var groups)) {
        groups.forEach(ranks -> switches.add(new SwitchChannel(buffer, ranks)));
      }
    }
    return switches;
  }

  /** How many channels of a type the rank has: their ids are below it. */
  public int channelCount(ChannelType type) {
    return type == ChannelType.SWITCH ? switches().size() : peers(type).size();
  }

  /**
   * The peer's buffer that a block's op means.
   *
   * @throws NoSuchElementException if there is none: never for a plan without errors
   */
  public RemoteBuffer remoteBuffer(ThreadBlock block, ChannelType type, Chunk.Remote chunk) {
    int id = block.remoteBuffer(type, chunk.ref()).orElse(-1);
    if (id < 0 || id >= remoteBuffers.size()) {
      throw new NoSuchElementException(
          "rank %d block %d has no remote buffer %d for %s channels"
              .formatted(rank, block.id(), chunk.ref(), type.code()));
    }
    return remoteBuffers.get(id);
  }

  /**
   * The switch channel that a block's op means.
   *
   * @throws NoSuchElementException if there is none: never for a plan without errors
   */
  public SwitchChannel switchChannel(ThreadBlock block, Chunk.Switch chunk) {
    int id = block.channel(ChannelType.SWITCH, chunk.ref()).orElse(-1);
    List<SwitchChannel> switches = switches();
    if (id < 0 || id >= switches.size()) {
      throw new NoSuchElementException(
          "rank %d block %d has no switch channel %d".formatted(rank, block.id(), chunk.ref()));
    }
    return switches.get(id);
  }
}
