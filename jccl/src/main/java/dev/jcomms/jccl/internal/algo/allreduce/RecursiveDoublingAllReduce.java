package dev.jcomms.jccl.internal.algo.allreduce;

import dev.jcomms.jccl.internal.algo.message.Arithmetic;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.pattern.Hypercube;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce by recursive doubling: whole buffers are exchanged across one dimension of a cube
 * after the other.
 *
 * <p>{@code log2 n} steps, each of all bytes; two more where {@code n} is no power of two. The
 * fewest steps there are: right for small buffers. Large ones are done piece by piece.
 */
public final class RecursiveDoublingAllReduce implements MessageAlgorithm<ReduceTask> {
  private static final long PIECE_BYTES = 512 << 10;

  @Override
  public String name() {
    return "recursive_doubling";
  }

  @Override
  public void run(ReduceTask task, Lines lines, Workspace space) {
    int wide = (int) task.arithmetic().wideBytes(1);
    Chunks pieces = Chunks.ofBytes(task.elements(), wide, PIECE_BYTES);
    for (long i = 0; i < pieces.count(); i++) {
      run(task, pieces.offset(i), pieces.length(i), lines, space);
    }
  }

  private static void run(ReduceTask task, long first, long count, Lines lines, Workspace space) {
    Arithmetic arithmetic = task.arithmetic();
    Hypercube cube = new Hypercube(lines.rank(), lines.size());
    MemorySegment result = task.output();
    long resultAt = arithmetic.bytes(first);
    long resultBytes = arithmetic.bytes(count);
    long bytes = arithmetic.wideBytes(count);
    long theirs = Workspace.aligned(bytes);
    MemorySegment scratch = space.bytes(2 * theirs);

    // A plain input is a partial result as it is, and the output holds the later ones.
    MemorySegment mine = arithmetic.isPlain() ? task.input() : scratch;
    MemorySegment sum = arithmetic.isPlain() ? result : scratch;
    long at = arithmetic.isPlain() ? resultAt : 0;
    if (!arithmetic.isPlain()) {
      arithmetic.lift(scratch, 0, task.input(), resultAt, count, space.terms());
    }
    if (cube.host().isPresent()) {
      int host = cube.host().getAsInt();
      lines.exchange(host, mine, at, bytes, host, result, resultAt, resultBytes);
      return;
    }
    if (cube.guest().isPresent()) {
      lines.await(lines.receive(cube.guest().getAsInt(), scratch, theirs, bytes));
      arithmetic.fold(sum, at, space.terms().add(scratch, theirs).add(mine, at), count);
      mine = sum;
    }
    for (int step = 0; step < cube.steps(); step++) {
      int partner = cube.partner(step);
      lines.exchange(partner, mine, at, bytes, partner, scratch, theirs, bytes);
      Terms terms = space.terms();
      if (partner < lines.rank()) {
        terms.add(scratch, theirs).add(mine, at);
      } else {
        terms.add(mine, at).add(scratch, theirs);
      }
      arithmetic.fold(sum, at, terms, count);
      mine = sum;
    }
    arithmetic.finish(result, resultAt, mine, at, count, space.terms(), lines.size());
    if (cube.guest().isPresent()) {
      lines.await(lines.send(cube.guest().getAsInt(), result, resultAt, resultBytes));
    }
  }
}
