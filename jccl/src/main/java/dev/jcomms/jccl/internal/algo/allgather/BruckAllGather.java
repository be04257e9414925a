package dev.jcomms.jccl.internal.algo.allgather;

import dev.jcomms.jccl.internal.algo.message.GatherTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Bruck;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.lang.foreign.MemorySegment;

/**
 * All-gather after Bruck: what was gathered so far is sent on, twice as much at each of {@code
 * ceil(log2 n)} steps; {@code B(n-1)/n} bytes, and a copy at the end. Right for small blocks, which
 * must be of one size.
 */
public final class BruckAllGather implements MessageAlgorithm<GatherTask> {
  private static final long MOST_BYTES = 16 << 20;

  @Override
  public String name() {
    return "bruck";
  }

  @Override
  public boolean fits(GatherTask task, int size) {
    return task.equalSizes() && task.bytes() <= MOST_BYTES / size;
  }

  @Override
  public void run(GatherTask task, Lines lines, Workspace space) {
    Bruck bruck = new Bruck(lines.rank(), lines.size());
    long block = task.bytes();
    MemorySegment places = space.bytes(lines.size() * block);
    MemorySegment.copy(task.input(), 0, places, 0, block);
    for (int step = 0; step < bruck.steps(); step++) {
      long bytes = bruck.gathers(step) * block;
      long at = (1L << step) * block;
      int to = bruck.gatherTo(step);
      int from = bruck.gatherFrom(step);
      lines.exchange(to, places, 0, bytes, from, places, at, bytes);
    }
    for (int place = 0; place < lines.size(); place++) {
      task.outputs().fill(bruck.gathered(place), places, place * block);
    }
  }
}
