package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce and reduce of memory that peers can read but not write: each rank reads its shard out
 * of all inputs, block by block, and reduces it. For all, it does so into its own output, from
 * where the others copy; for a root, which alone has an output, into its stage.
 *
 * <p>All: three meetings; each rank copies {@code 2B(1-1/n)} bytes through the kernel: what a ring
 * sends, and half of what staging copies. Root: a meeting more than the stages of all ranks
 * together are filled.
 */
final class PulledReduce {
  private final Floor floor;
  private final Reach reach;
  private final Pull pull;

  PulledReduce(Floor floor, Reach reach, Pull pull) {
    this.floor = floor;
    this.reach = reach;
    this.pull = pull;
  }

  /** After the ranks have shown their tensors, and found how to read them. */
  void run(Fold fold, Reach.Way way, Deadline deadline) {
    pull.begin(way);
    if (fold.root() == Fold.ALL) {
      forAll(fold, deadline);
    } else {
      forRoot(fold, deadline);
    }
  }

  private void forAll(Fold fold, Deadline deadline) {
    int width = fold.elementBytes();
    int rank = floor.rank();
    Shards shards = fold.shards(floor.size());
    long start = shards.offset(rank) * width;
    reduce(fold, start, shards.length(rank) * width, fold.output(), start);
    floor.part(deadline);
    pull.crew()
        .shareAll(
            fold.othersBytes(shards, rank),
            (i, from, bytes) -> {
              int r = (rank + 1 + i) % floor.size();
              long at = shards.offset(r) * width + from;
              reach.readOutput(r, at, fold.output(), at, bytes);
            },
            fold.output());
    floor.partIntact(deadline);
  }

  /** Nobody reads what the root overwrites: all have reduced their parts of a chunk by then. */
  private void forRoot(Fold fold, Deadline deadline) {
    int rank = floor.rank();
    long part = floor.stageBytes() / Fold.LINE * Fold.LINE;
    long chunk = part * floor.size();
    for (long from = 0; from < fold.bytes(); from += chunk) {
      floor.begin();
      long at = from + rank * part;
      if (rank == fold.root()) {
        reduce(fold, at, Math.min(part, fold.bytes() - at), fold.output(), at);
      } else {
        reduce(fold, at, Math.min(part, fold.bytes() - at), floor.memory(), floor.stage(rank));
      }
      floor.meetIntact(deadline);
      if (rank == fold.root()) {
        take(fold, from, part);
      }
    }
  }

  private void take(Fold fold, long from, long part) {
    for (int i = 1; i < floor.size(); i++) {
      int r = (floor.rank() + i) % floor.size();
      long at = from + r * part;
      long bytes = Math.min(part, fold.bytes() - at);
      if (bytes > 0) {
        MemorySegment.copy(floor.memory(), floor.stage(r), fold.output(), at, bytes);
      }
    }
  }

  /** Reduces so many bytes of all inputs from an offset on. */
  private void reduce(Fold fold, long start, long bytes, MemorySegment out, long at) {
    pull.crew()
        .share(
            bytes,
            (terms, from, to) -> reduce(fold, terms, start + from, to - from, out, at + from),
            fold.input(),
            out);
  }

  private void reduce(Fold fold, Terms terms, long start, long bytes, MemorySegment out, long at) {
    int width = fold.elementBytes();
    for (long done = 0; done < bytes; done += pull.blockBytes()) {
      long length = Math.min(pull.blockBytes(), bytes - done);
      pull.terms(terms, fold.input(), 0, fold.bytes(), start + done, length);
      fold.reducer().reduce(out, at + done, terms, length / width, floor.size());
    }
  }
}
