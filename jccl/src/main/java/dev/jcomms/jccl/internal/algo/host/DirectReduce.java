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
 * <p>Large results that go to memory of their own do not stay in any cache. They are given to the
 * others in long copies, which pass the caches by, so that memory is not read only to be
 * overwritten.
 */
final class DirectReduce {
  /** Bytes reduced before they are copied on: they are still in the cache then. */
  private static final long BLOCK = 64 << 10;

  /**
   * As {@link #BLOCK}, where they are to pass the caches: the JVM has such copies from 2.5 MiB on.
   */
  private static final long LONG_BLOCK = 4 << 20;

  /** Bytes of a result that stays in no cache. */
  private static final long LARGE_BYTES = 32 << 20;

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
      reduceShard(fold, isApart(fold) ? LONG_BLOCK : BLOCK);
    } finally {
      // Other ranks' tensors are not this rank's to keep.
      Arrays.fill(inputs, null);
      Arrays.fill(outputs, null);
    }
    floor.partIntact(deadline);
    reach.requireIntact();
  }

  /** Whether it is large and overwrites no input. */
  private boolean isApart(Fold fold) {
    if (fold.root() != Fold.ALL || fold.bytes() < LARGE_BYTES) {
      return false;
    }
    for (int r = 0; r < floor.size(); r++) {
      if (inputs[r].address() == outputs[r].address()) {
        return false;
      }
    }
    return true;
  }

  private void reduceShard(Fold fold, long block) {
    int width = fold.elementBytes();
    Shards shards = fold.shards(floor.size());
    long start = shards.offset(floor.rank()) * width;
    crew.share(
        shards.length(floor.rank()) * width,
        (terms, from, to) -> reduce(fold, block, terms, start + from, start + to),
        inputs[floor.rank()],
        fold.root() == Fold.ALL ? outputs[floor.rank()] : inputs[floor.rank()]);
  }

  private void reduce(Fold fold, long block, Terms terms, long start, long end) {
    int rank = floor.rank();
    int target = fold.root() == Fold.ALL ? rank : fold.root();
    for (long at = start; at < end; at += block) {
      long bytes = Math.min(block, end - at);
      terms.clear();
      for (int r = 0; r < floor.size(); r++) {
        terms.add(inputs[r], at, Double.longBitsToDouble(floor.said(r)));
      }
      fold.reducer().reduce(outputs[target], at, terms, bytes / fold.elementBytes(), floor.size());
      for (int i = 1; i < floor.size() && fold.root() == Fold.ALL; i++) {
        MemorySegment.copy(outputs[target], at, outputs[(rank + i) % floor.size()], at, bytes);
      }
    }
  }
}
