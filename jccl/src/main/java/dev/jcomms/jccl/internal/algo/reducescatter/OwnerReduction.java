package dev.jcomms.jccl.internal.algo.reducescatter;

import dev.jcomms.jccl.internal.algo.message.Arithmetic;
import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.pattern.Pairwise;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * What the direct algorithms have in common: each rank owns a block, gets everybody's part of it
 * and reduces all parts in one pass, in rank order; {@code B(n-1)/n} bytes in one step.
 *
 * <p>Elements travel in their own type, however wide the sum is, with the sender's factor. Blocks
 * are cut into chunks: one is reduced while the parts of the next come in. All ranks walk all
 * chunks of the largest block; those of others are empty at the end.
 */
public final class OwnerReduction {
  /** As much as the second-level cache holds several of. */
  private static final long MOST_CHUNK_BYTES = 256 << 10;

  /** Less costs more in system calls than it gains in overlap. */
  private static final long LEAST_CHUNK_BYTES = 64 << 10;

  /** Chunks whose parts may be on their way before the first of them is reduced. */
  private static final int AHEAD = 3;

  /** For the parts of all chunks that are on their way. */
  private static final long MOST_SCRATCH_BYTES = 16 << 20;

  /** What becomes of the chunks of this rank's block. */
  public interface Results {
    /** Where the result of a chunk goes. */
    MemorySegment memory();

    /** Where in the memory, which must be free by now. */
    long at(long c);

    /**
     * Whether all of that memory is free from the beginning, and none of the inputs': then a peer's
     * part may come in where the result goes.
     */
    default boolean isClear() {
      return false;
    }

    /** The result of a chunk is there. */
    void done(long c);
  }

  private final Lines lines;
  private final Workspace space;
  private final Blocks inputs;
  private final Arithmetic arithmetic;
  private final int me;
  private final int n;
  private final Pairwise pairs;
  private final long chunk;
  private final long slotBytes;
  private final MemorySegment slots;
  private final Part[][] parts;

  /** Of a peer, on its way to where it lies. */
  private record Part(Transfer transfer, MemorySegment memory, long at) {}

  public OwnerReduction(Blocks inputs, Arithmetic arithmetic, Lines lines, Workspace space) {
    this.lines = lines;
    this.space = space;
    this.inputs = inputs;
    this.arithmetic = arithmetic;
    this.me = lines.rank();
    this.n = lines.size();
    this.pairs = new Pairwise(me, n);
    long largest = inputs.largest();
    long good = Math.clamp(largest / (AHEAD + 1), LEAST_CHUNK_BYTES, MOST_CHUNK_BYTES);
    long fair = Math.min(good, MOST_SCRATCH_BYTES / ((AHEAD + 1L) * n));
    long whole = fair - fair % arithmetic.bytes(1);
    this.chunk = Math.max(arithmetic.bytes(1), Math.min(largest, whole));
    this.slotBytes = Workspace.aligned(chunk);
    this.slots = space.bytes((AHEAD + 1) * n * slotBytes);
    this.parts = new Part[AHEAD + 1][n];
  }

  /** Reduces this rank's block. */
  public void run(Results results) {
    long chunks = new Chunks(inputs.largest(), chunk).count();
    Results clear = results.isClear() && results.memory().isNative() ? results : null;
    for (long c = 0; c < chunks + AHEAD; c++) {
      if (c < chunks) {
        exchangeParts(c, clear);
      }
      if (c >= AHEAD) {
        reduce(c - AHEAD, results);
        results.done(c - AHEAD);
      }
    }
  }

  /**
   * Posts what goes out and what comes in for a chunk.
   *
   * @param clear where one part may come in at once, which spares the cache a slot; null if nowhere
   */
  private void exchangeParts(long c, Results clear) {
    long factor = Double.doubleToRawLongBits(arithmetic.factor());
    int round = (int) (c % (AHEAD + 1));
    for (int step = 1; step < n; step++) {
      int to = pairs.to(step);
      lines.send(to, inputs.segment(to), inputs.at(to) + offset(to, c), bytes(to, c), factor);
      int from = pairs.from(step);
      parts[round][from] =
          clear != null && step == 1
              ? receive(from, clear.memory(), clear.at(c), c)
              : receive(from, slots, slot(round, from), c);
    }
  }

  private Part receive(int from, MemorySegment memory, long at, long c) {
    return new Part(lines.receive(from, memory, at, bytes(me, c)), memory, at);
  }

  private void reduce(long c, Results results) {
    int round = (int) (c % (AHEAD + 1));
    Terms terms = space.terms();
    for (int r = 0; r < n; r++) {
      if (r == me) {
        terms.add(inputs.segment(me), inputs.at(me) + offset(me, c), arithmetic.factor());
      } else {
        Part part = parts[round][r];
        lines.await(part.transfer);
        terms.add(part.memory, part.at, Double.longBitsToDouble(part.transfer.note()));
      }
    }
    long elements = bytes(me, c) / arithmetic.bytes(1);
    arithmetic.reducer().reduce(results.memory(), results.at(c), terms, elements, n);
  }

  private long slot(int round, int rank) {
    return (round * (long) n + rank) * slotBytes;
  }

  /** Where in a rank's block a chunk begins. */
  public long offset(int rank, long c) {
    return new Chunks(inputs.bytes(rank), chunk).offset(c);
  }

  /** Bytes of a chunk of a rank's block. */
  public long bytes(int rank, long c) {
    return new Chunks(inputs.bytes(rank), chunk).length(c);
  }

  /** Bytes of a chunk of the largest block. */
  public long chunkBytes() {
    return chunk;
  }
}
