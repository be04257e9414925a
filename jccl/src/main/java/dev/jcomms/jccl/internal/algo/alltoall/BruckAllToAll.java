package dev.jcomms.jccl.internal.algo.alltoall;

import dev.jcomms.jccl.internal.algo.message.AllToAllTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Bruck;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.lang.foreign.MemorySegment;

/**
 * All-to-all after Bruck: {@code ceil(log2 n)} steps, at each of which half of the blocks move on,
 * packed into one message of {@code B/2} bytes. Right for small blocks of many ranks, which must be
 * of one size.
 */
public final class BruckAllToAll implements MessageAlgorithm<AllToAllTask> {
  private static final long MOST_BYTES = 16 << 20;

  @Override
  public String name() {
    return "bruck";
  }

  @Override
  public boolean fits(AllToAllTask task, int size) {
    return task.equalSizes() && task.inputs().bytes(0) <= MOST_BYTES / size;
  }

  @Override
  public void run(AllToAllTask task, Lines lines, Workspace space) {
    int n = lines.size();
    Bruck bruck = new Bruck(lines.rank(), n);
    long block = task.inputs().bytes(0);
    MemorySegment places = space.bytes(n * block);
    MemorySegment packed = space.moreBytes(2 * n * block);
    long unpacked = n * block;
    for (int place = 0; place < n; place++) {
      int to = bruck.destination(place);
      MemorySegment from = task.inputs().segment(to);
      MemorySegment.copy(from, task.inputs().at(to), places, place * block, block);
    }
    for (int step = 0; step < bruck.steps(); step++) {
      long bytes = 0;
      for (int place = 0; place < n; place++) {
        if (bruck.moves(step, place)) {
          MemorySegment.copy(places, place * block, packed, bytes, block);
          bytes += block;
        }
      }
      int to = bruck.to(step);
      int from = bruck.from(step);
      lines.exchange(to, packed, 0, bytes, from, packed, unpacked, bytes);
      long at = unpacked;
      for (int place = 0; place < n; place++) {
        if (bruck.moves(step, place)) {
          MemorySegment.copy(packed, at, places, place * block, block);
          at += block;
        }
      }
    }
    for (int place = 0; place < n; place++) {
      task.outputs().fill(bruck.source(place), places, place * block);
    }
  }
}
