package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * All-reduce and reduce without a staging copy: each rank reduces its shard straight out of all
 * inputs and writes it straight into all outputs.
 *
 * <p>Two meetings; each rank reads {@code B} and writes {@code B} bytes. In place it is safe: a
 * shard is read and written by its one rank alone, block after block.
 */
final class DirectReduce {
  private static final long LINE = 64;

  /** Bytes reduced before they are copied on: they are still in the cache then. */
  private static final long BLOCK = 64 << 10;

  private final Floor floor;
  private final Terms terms;
  private final Reach reach;
  private final MemorySegment[] inputs;
  private final MemorySegment[] outputs;

  DirectReduce(Floor floor, Terms terms, Reach reach) {
    this.floor = floor;
    this.terms = terms;
    this.reach = reach;
    this.inputs = new MemorySegment[floor.size()];
    this.outputs = new MemorySegment[floor.size()];
  }

  /** Returns false, on all ranks alike and with nothing moved, if a tensor cannot be reached. */
  boolean run(Fold fold, Turn turn) {
    int rank = floor.rank();
    floor.begin();
    long input = reach.describe(fold.input(), 0);
    long output = fold.output() == null ? input : reach.describe(fold.output(), 1);
    floor.say(input, output);
    floor.memory().set(ValueLayout.JAVA_DOUBLE, floor.payload(rank), fold.factor());
    turn.meet();
    for (int r = 0; r < floor.size(); r++) {
      if (floor.first(r) == Reach.NONE || floor.second(r) == Reach.NONE) {
        return false;
      }
    }
    try {
      resolve(fold);
      reduceShard(fold);
    } finally {
      forget();
    }
    turn.part();
    return true;
  }

  private void resolve(Fold fold) {
    terms.clear();
    for (int r = 0; r < floor.size(); r++) {
      inputs[r] = reach.resolve(r, 0, floor.first(r), fold.bytes());
      if (fold.root() == Fold.ALL || fold.root() == r) {
        outputs[r] = reach.resolve(r, 1, floor.second(r), fold.bytes());
      }
    }
  }

  private void reduceShard(Fold fold) {
    int width = fold.elementBytes();
    int rank = floor.rank();
    Shards shards = new Shards(fold.elements(), floor.size(), LINE / width);
    int target = fold.root() == Fold.ALL ? rank : fold.root();
    long end = shards.offset(rank) + shards.length(rank);
    long block = BLOCK / width;
    for (long start = shards.offset(rank); start < end; start += block) {
      long elements = Math.min(block, end - start);
      long at = start * width;
      terms.clear();
      for (int r = 0; r < floor.size(); r++) {
        double factor = floor.memory().get(ValueLayout.JAVA_DOUBLE, floor.payload(r));
        terms.add(inputs[r], at, factor);
      }
      fold.reducer().reduce(outputs[target], at, terms, elements, floor.size());
      for (int i = 1; i < floor.size() && fold.root() == Fold.ALL; i++) {
        MemorySegment other = outputs[(rank + i) % floor.size()];
        MemorySegment.copy(outputs[target], at, other, at, elements * width);
      }
    }
  }

  /** Other ranks' tensors are not this rank's to keep. */
  private void forget() {
    java.util.Arrays.fill(inputs, null);
    java.util.Arrays.fill(outputs, null);
    terms.clear();
  }
}
