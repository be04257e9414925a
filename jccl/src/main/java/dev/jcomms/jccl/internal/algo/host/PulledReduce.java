package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;

/**
 * All-reduce of memory that peers can read but not write: each rank reads its shard out of all
 * inputs, block by block, reduces it into its own output, and copies the other shards from where
 * they were reduced.
 *
 * <p>Three meetings; each rank copies {@code B(1-1/n)} bytes of memory that it sees and twice as
 * many through the kernel: what a ring sends, and half of what staging copies.
 */
final class PulledReduce {
  private final Floor floor;
  private final Terms terms;
  private final Reach reach;
  private final Pull pull;

  PulledReduce(Floor floor, Terms terms, Reach reach, Pull pull) {
    this.floor = floor;
    this.terms = terms;
    this.reach = reach;
    this.pull = pull;
  }

  /** After the ranks have shown their tensors, and found how to read them. */
  void run(Fold fold, Reach.Way way, Turn turn) {
    int width = fold.elementBytes();
    int rank = floor.rank();
    Shards shards = fold.shards(floor.size());
    pull.begin(way);
    long end = shards.offset(rank) + shards.length(rank);
    long block = pull.blockBytes() / width;
    for (long start = shards.offset(rank); start < end; start += block) {
      long elements = Math.min(block, end - start);
      pull.terms(terms, fold.input(), 0, fold.bytes(), start * width, elements * width);
      fold.reducer().reduce(fold.output(), start * width, terms, elements, floor.size());
    }
    terms.clear();
    turn.part();
    for (int i = 1; i < floor.size(); i++) {
      int r = (rank + i) % floor.size();
      long at = shards.offset(r) * width;
      long bytes = shards.length(r) * width;
      if (bytes > 0) {
        reach.readOutput(r, at, fold.output(), at, bytes);
      }
    }
    turn.part();
  }
}
