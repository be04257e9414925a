package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * All-reduce and reduce without a staging copy, where tensors are mapped: each rank reduces its
 * shard straight out of all inputs and writes it straight into all outputs.
 *
 * <p>Two meetings; each rank reads {@code B} and writes {@code B} bytes. In place it is safe: a
 * shard is read and written by its one rank alone, block after block.
 *
 * <p>Large results that go to memory of their own do not stay in any cache. Then each rank writes
 * its shard into its own output alone and, after one meeting more, takes the others' shards whole:
 * long copies pass the caches by, and memory is not read only to be overwritten.
 */
final class DirectReduce {
  /** Bytes reduced before they are copied on: they are still in the cache then. */
  private static final long BLOCK = 64 << 10;

  /** Bytes of a result that is taken rather than given. */
  private static final long TAKEN_BYTES = 32 << 20;

  private final Floor floor;
  private final Crew crew;
  private final Reach reach;
  private final MemorySegment[] inputs;
  private final MemorySegment[] outputs;

  DirectReduce(Floor floor, Crew crew, Reach reach) {
    this.floor = floor;
    this.crew = crew;
    this.reach = reach;
    this.inputs = new MemorySegment[floor.size()];
    this.outputs = new MemorySegment[floor.size()];
  }

  /** After the ranks have shown their tensors, and found them mapped. */
  void run(Fold fold, Deadline deadline) {
    try {
      for (int r = 0; r < floor.size(); r++) {
        inputs[r] = reach.piece(r, 0, fold.bytes());
        if (fold.root() == Fold.ALL || fold.root() == r) {
          outputs[r] = reach.output(r, fold.bytes());
        }
      }
      boolean taken = isTaken(fold);
      reduceShard(fold, taken ? 1 : floor.size());
      if (taken) {
        reach.requireIntact();
        floor.part(deadline);
        takeShards(fold);
      }
    } finally {
      // Other ranks' tensors are not this rank's to keep.
      Arrays.fill(inputs, null);
      Arrays.fill(outputs, null);
    }
    floor.partIntact(deadline);
    reach.requireIntact();
  }

  /** Known to all alike, since all see all tensors. */
  private boolean isTaken(Fold fold) {
    if (fold.root() != Fold.ALL || fold.bytes() < TAKEN_BYTES) {
      return false;
    }
    for (int r = 0; r < floor.size(); r++) {
      if (inputs[r].address() == outputs[r].address()) {
        return false;
      }
    }
    return true;
  }

  private void takeShards(Fold fold) {
    Shards shards = fold.shards(floor.size());
    int width = fold.elementBytes();
    MemorySegment mine = outputs[floor.rank()];
    crew.shareAll(
        fold.othersBytes(shards, floor.rank()),
        (i, from, bytes) -> {
          int r = (floor.rank() + 1 + i) % floor.size();
          long at = shards.offset(r) * width + from;
          MemorySegment.copy(outputs[r], at, mine, at, bytes);
        },
        mine);
  }

  /** Gives the result to so many ranks, this one the first of them, if all get it. */
  private void reduceShard(Fold fold, int takers) {
    int width = fold.elementBytes();
    Shards shards = fold.shards(floor.size());
    long start = shards.offset(floor.rank()) * width;
    crew.share(
        shards.length(floor.rank()) * width,
        (terms, from, to) -> reduce(fold, takers, terms, start + from, start + to),
        inputs[floor.rank()],
        fold.root() == Fold.ALL ? outputs[floor.rank()] : inputs[floor.rank()]);
  }

  private void reduce(Fold fold, int takers, Terms terms, long start, long end) {
    int rank = floor.rank();
    int target = fold.root() == Fold.ALL ? rank : fold.root();
    for (long at = start; at < end; at += BLOCK) {
      long bytes = Math.min(BLOCK, end - at);
      terms.clear();
      for (int r = 0; r < floor.size(); r++) {
        terms.add(inputs[r], at, Double.longBitsToDouble(floor.said(r)));
      }
      fold.reducer().reduce(outputs[target], at, terms, bytes / fold.elementBytes(), floor.size());
      for (int i = 1; i < takers && fold.root() == Fold.ALL; i++) {
        MemorySegment.copy(outputs[target], at, outputs[(rank + i) % floor.size()], at, bytes);
      }
    }
  }
}
