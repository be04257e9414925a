package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.internal.transport.Deadline;
import java.util.Set;
import java.util.TreeSet;

/** Where a rank waits until all are through with a launch. One thread at a time. */
final class Gate implements Deadline.Progress {
  private final PlanMemory memory;
  private final int rank;
  private final Pause pause;
  private final long[] seen;
  private long launch;

  Gate(PlanMemory memory, int rank, Pause pause) {
    this.memory = memory;
    this.rank = rank;
    this.pause = pause;
    this.seen = new long[memory.ranks()];
  }

  void await(long number, Deadline deadline) {
    launch = number;
    for (int peer = 0; peer < seen.length; peer++) {
      if (peer != rank && seen[peer] < number) {
        seen[peer] = memory.finished(peer);
        if (seen[peer] < number) {
          await(peer, deadline);
        }
      }
    }
  }

  private void await(int peer, Deadline deadline) {
    pause.begin(deadline, this);
    while ((seen[peer] = memory.finished(peer)) < launch) {
      pause.pause();
    }
  }

  @Override
  public Set<Integer> missing() {
    Set<Integer> missing = new TreeSet<>();
    for (int peer = 0; peer < seen.length; peer++) {
      if (peer != rank && memory.finished(peer) < launch) {
        missing.add(peer);
      }
    }
    return missing;
  }

  @Override
  public String text() {
    return "rank %d: ranks %s are not through with launch %d".formatted(rank, missing(), launch);
  }
}
