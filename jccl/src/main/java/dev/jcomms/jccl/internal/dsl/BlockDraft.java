package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A thread block under construction. Numbers are given in the order of first use. */
public final class BlockDraft {
  private final int id;
  private final List<Step> steps = new ArrayList<>();
  private final Map<ChannelType, List<Integer>> channels = new LinkedHashMap<>();
  private final Map<ChannelType, List<Integer>> remoteBuffers = new LinkedHashMap<>();

  BlockDraft(int id) {
    this.id = id;
  }

  List<Step> steps() {
    return steps;
  }

  public void add(Step step) {
    steps.add(step);
  }

  /** The block's own number of the rank's channel. */
  public int channel(ChannelType type, int channelId) {
    return ref(channels, type, channelId);
  }

  /** The block's own number of the rank's remote buffer, for this type of channel. */
  public int remoteBuffer(ChannelType type, int bufferId) {
    return ref(remoteBuffers, type, bufferId);
  }

  private static int ref(Map<ChannelType, List<Integer>> refs, ChannelType type, int id) {
    List<Integer> ids = refs.computeIfAbsent(type, _ -> new ArrayList<>());
    if (!ids.contains(id)) {
      ids.add(id);
    }
    return ids.indexOf(id);
  }

  ThreadBlock toPlan(List<Op> ops) {
    return new ThreadBlock(id, ops, refs(channels), refs(remoteBuffers));
  }

  private static List<ThreadBlock.Refs> refs(Map<ChannelType, List<Integer>> refs) {
    return refs.entrySet().stream()
        .map(entry -> new ThreadBlock.Refs(entry.getKey(), entry.getValue()))
        .toList();
  }
}
