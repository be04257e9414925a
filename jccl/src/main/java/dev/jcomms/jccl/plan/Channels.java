package dev.jcomms.jccl.plan;

import java.util.List;

/**
 * One entry of a rank's {@code channels}: all channels of a type to single peers, or switch
 * channels on one buffer. Part of a {@link RankPlan}.
 */
public sealed interface Channels {
  ChannelType type();

  /**
   * Channels to one peer each: channel {@code i} leads to rank {@code connectedTo[i]}.
   *
   * @param type {@link ChannelType#MEMORY} or {@link ChannelType#PORT}
   * @param connectedTo a peer as often as there are channels to it; the k-th channel to a peer
   *     pairs with the peer's k-th channel back
   */
  record ToPeers(ChannelType type, List<Integer> connectedTo) implements Channels {
    public ToPeers {
      connectedTo = List.copyOf(connectedTo);
      if (type == ChannelType.SWITCH) {
        throw new IllegalArgumentException("a switch channel has rank groups, not a peer");
      }
    }
  }

  /** One switch channel for each group, on the same buffer of every rank of the group. */
  record ToGroups(BufferType buffer, List<List<Integer>> groups) implements Channels {
    public ToGroups {
      groups = groups.stream().map(List::copyOf).toList();
    }

    @Override
    public ChannelType type() {
      return ChannelType.SWITCH;
    }
  }
}
