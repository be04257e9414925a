package dev.jcomms.jccl.internal.algo.allreduce;

import dev.jcomms.jccl.internal.algo.tcp.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.tcp.Reduction;
import dev.jcomms.jccl.internal.algo.tcp.Workspace;
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
public final class RecursiveDoublingAllReduce implements MessageAlgorithm<Reduction> {
  private static final long PIECE_BYTES = 512 << 10;

  @Override
  public String name() {
    return "recursive_doubling";
  }

  @Override
  public void run(Reduction task, Lines lines, Workspace space) {
    long piece = Math.max(1, PIECE_BYTES / task.wideBytes(1));
    for (long first = 0; first == 0 || first < task.elements(); first += piece) {
      run(task, first, Math.min(piece, task.elements() - first), lines, space);
    }
  }

  private static void run(Reduction task, long first, long count, Lines lines, Workspace space) {
    Hypercube cube = new Hypercube(lines.rank(), lines.size());
    long bytes = task.bytes(count);
    long wide = task.wideBytes(count);
    MemorySegment scratch = space.bytes(2 * Workspace.aligned(wide));
    long theirs = Workspace.aligned(wide);

    // A plain input is a partial result already, and the output holds the later ones.
    MemorySegment mine = task.isPlain() ? task.input() : scratch;
    MemorySegment sum = task.isPlain() ? task.output() : scratch;
    long at = task.isPlain() ? task.bytes(first) : 0;
    if (!task.isPlain()) {
      task.lift(first, count, scratch, 0, space.terms());
    }

    if (cube.host().isPresent()) {
      int host = cube.host().getAsInt();
      lines.exchange(host, mine, at, wide, host, task.output(), task.bytes(first), bytes);
      return;
    }
    if (cube.guest().isPresent()) {
      lines.await(lines.receive(cube.guest().getAsInt(), scratch, theirs, wide));
      task.fold(sum, at, space.terms().add(scratch, theirs).add(mine, at), count);
      mine = sum;
    }
    for (int step = 0; step < cube.steps(); step++) {
      int partner = cube.partner(step);
      lines.exchange(partner, mine, at, wide, partner, scratch, theirs, wide);
      Terms terms = space.terms();
      if (partner < lines.rank()) {
        terms.add(scratch, theirs).add(mine, at);
      } else {
        terms.add(mine, at).add(scratch, theirs);
      }
      task.fold(sum, at, terms, count);
      mine = sum;
    }
    task.finish(sum, at, first, count, space.terms(), lines.size());
    if (cube.guest().isPresent()) {
      lines.await(lines.send(cube.guest().getAsInt(), task.output(), task.bytes(first), bytes));
    }
  }
}
