package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce and reduce of ordinary memory, chunk by chunk through the stages: every rank lays its
 * chunk out, reduces one shard of all chunks, and collects the shards the others have reduced.
 *
 * <p>Two meetings a chunk; each rank writes {@code B} and reads {@code 2B(1-1/n)+B/n} bytes of
 * stages that stay in the cache. The one phase's layout and the other's result lie in different
 * stages, so the next chunk is laid out while slower ranks still collect.
 */
final class StagedReduce {
  private static final long LINE = 64;

  private final Floor floor;
  private final Terms terms;

  StagedReduce(Floor floor, Terms terms) {
    this.floor = floor;
    this.terms = terms;
  }

  void run(Fold fold, Deadline deadline) {
    int width = fold.elementBytes();
    long chunk = floor.stageBytes() / width;
    long start = 0;
    do {
      run(fold, deadline, start, Math.min(chunk, fold.elements() - start));
      start += chunk;
    } while (start < fold.elements());
  }

  private void run(Fold fold, Deadline deadline, long start, long elements) {
    int width = fold.elementBytes();
    int rank = floor.rank();
    MemorySegment memory = floor.memory();
    Shards shards = new Shards(elements, floor.size(), LINE / width);

    floor.begin();
    layOut(fold, start, shards);
    floor.say(Double.doubleToRawLongBits(fold.factor()));
    floor.meet(deadline);
    long mine = shards.offset(rank) * width;
    terms.clear();
    for (int r = 0; r < floor.size(); r++) {
      double factor = Double.longBitsToDouble(floor.said(r));
      if (r == rank) {
        terms.add(fold.input(), start * width + mine, factor);
      } else {
        terms.add(memory, floor.stage(r) + mine, factor);
      }
    }

    floor.begin();
    fold.reducer()
        .reduce(memory, floor.stage(rank) + mine, terms, shards.length(rank), floor.size());
    terms.clear();
    floor.meet(deadline);
    if (fold.output() != null) {
      for (int i = 0; i < floor.size(); i++) {
        int r = (rank + i) % floor.size();
        long at = shards.offset(r) * width;
        MemorySegment.copy(
            memory,
            floor.stage(r) + at,
            fold.output(),
            start * width + at,
            shards.length(r) * width);
      }
    }
  }

  /** Puts up what the others reduce: all shards but this rank's own. */
  private void layOut(Fold fold, long start, Shards shards) {
    int width = fold.elementBytes();
    long mine = shards.offset(floor.rank()) * width;
    long end = mine + shards.length(floor.rank()) * width;
    long all = shards.elements() * width;
    long stage = floor.stage(floor.rank());
    MemorySegment.copy(fold.input(), start * width, floor.memory(), stage, mine);
    MemorySegment.copy(fold.input(), start * width + end, floor.memory(), stage + end, all - end);
  }
}
