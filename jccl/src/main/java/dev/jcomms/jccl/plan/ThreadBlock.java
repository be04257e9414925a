package dev.jcomms.jccl.plan;

import java.util.List;
import java.util.OptionalInt;

/**
 * What one thread block of a rank does, in order, and the short numbers by which its ops call the
 * rank's channels and remote buffers. Part of a {@link RankPlan}.
 *
 * @param id the position among the rank's blocks
 * @param channels for each type, the rank's channels that the block uses
 * @param remoteBuffers for each type of channel, the rank's remote buffers that the block reaches
 *     through it
 */
public record ThreadBlock(int id, List<Op> ops, List<Refs> channels, List<Refs> remoteBuffers) {
  /** Number {@code j} of the block, for this type, is number {@code ids[j]} of the rank. */
  public record Refs(ChannelType type, List<Integer> ids) {
    public Refs {
      ids = List.copyOf(ids);
    }
  }

  public ThreadBlock {
    ops = List.copyOf(ops);
    channels = List.copyOf(channels);
    remoteBuffers = List.copyOf(remoteBuffers);
  }

  /** The rank's number of the block's channel {@code ref}; empty if the block has none. */
  public OptionalInt channel(ChannelType type, int ref) {
    return resolve(channels, type, ref);
  }

  /** The rank's number of the block's remote buffer {@code ref}; empty if the block has none. */
  public OptionalInt remoteBuffer(ChannelType type, int ref) {
    return resolve(remoteBuffers, type, ref);
  }

  private static OptionalInt resolve(List<Refs> refs, ChannelType type, int ref) {
    for (Refs some : refs) {
      if (some.type() == type) {
        return ref >= 0 && ref < some.ids().size()
            ? OptionalInt.of(some.ids().get(ref))
            : OptionalInt.empty();
      }
    }
    return OptionalInt.empty();
  }
}
