package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.internal.exec.SyncSteps.Line;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What outlives a launch of a rank: the ends of its channels, its semaphores and barriers. */
final class Fixtures {
  private final Map<ChannelType, Line[]> lines = new EnumMap<>(ChannelType.class);
  private final AtomicLong[] semaphores;
  private final Map<Integer, AtomicLong> barriers = new HashMap<>();

  Fixtures(Plan plan, int rank, PlanMemory memory) {
    RankPlan own = plan.ranks().get(rank);
    for (ChannelType type : List.of(ChannelType.MEMORY, ChannelType.PORT)) {
      List<Integer> peers = own.peers(type);
      Line[] ends = new Line[peers.size()];
      for (int id = 0; id < ends.length; id++) {
        int peer = peers.get(id);
        int k = Collections.frequency(peers.subList(0, id), peer);
        ends[id] =
            new Line(
                type,
                id,
                peer,
                memory.layout(peer).count(type, rank, k),
                memory.layout(rank).count(type, peer, k),
                new AtomicLong());
      }
      lines.put(type, ends);
    }
    semaphores =
        own.semaphores().stream().map(value -> new AtomicLong(value)).toArray(AtomicLong[]::new);
  }

  Line line(ChannelType type, int id) {
    return lines.get(type)[id];
  }

  AtomicLong[] semaphores() {
    return semaphores;
  }

  AtomicLong barrier(int id) {
    return barriers.computeIfAbsent(id, _ -> new AtomicLong());
  }
}
