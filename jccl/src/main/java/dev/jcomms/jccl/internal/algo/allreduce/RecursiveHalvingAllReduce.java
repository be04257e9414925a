package dev.jcomms.jccl.internal.algo.allreduce;

import dev.jcomms.jccl.internal.algo.message.Arithmetic;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.pattern.Hypercube;
import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce by recursive halving and doubling (Rabenseifner): across one dimension of a cube after
 * the other, half of what is left is exchanged and reduced, until each rank has a shard of the
 * result; the way back gathers the shards.
 *
 * <p>{@code 2 log2 n} steps and {@code 2B(n-1)/n} bytes; with {@code n} no power of two, two steps
 * and {@code B} bytes more for some. Right for buffers in the middle, among many ranks: few steps
 * and few bytes, and one partner at a time.
 */
public final class RecursiveHalvingAllReduce implements MessageAlgorithm<ReduceTask> {
  private static final long PIECE_BYTES = 4 << 20;

  @Override
  public String name() {
    return "recursive_halving";
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

    // Partial results: a plain input is one, and those after it are kept in scratch at the start.
    MemorySegment mine = arithmetic.isPlain() ? task.input() : scratch;
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
      arithmetic.fold(scratch, 0, space.terms().add(scratch, theirs).add(mine, at), count);
      mine = scratch;
      at = 0;
    }

    Shards shards = Shards.of(count, cube.corners());
    Span span = new Span(0, cube.corners());
    for (int step = cube.steps() - 1; step >= 0; step--) {
      int partner = cube.partner(step);
      Span keep = span.half(cube.corner() >> step & 1);
      Span give = span.half(~cube.corner() >> step & 1);
      long keepAt = arithmetic.wideBytes(keep.first(shards));
      long keepBytes = arithmetic.wideBytes(keep.count(shards));
      long giveAt = arithmetic.wideBytes(give.first(shards));
      long giveBytes = arithmetic.wideBytes(give.count(shards));
      lines.exchange(
          partner, mine, at + giveAt, giveBytes, partner, scratch, theirs + keepAt, keepBytes);
      Terms terms = space.terms();
      if (partner < lines.rank()) {
        terms.add(scratch, theirs + keepAt).add(mine, at + keepAt);
      } else {
        terms.add(mine, at + keepAt).add(scratch, theirs + keepAt);
      }
      arithmetic.fold(scratch, keepAt, terms, keep.count(shards));
      mine = scratch;
      at = 0;
      span = keep;
    }

    long ownAt = resultAt + arithmetic.bytes(span.first(shards));
    long ownFrom = at + arithmetic.wideBytes(span.first(shards));
    long own = span.count(shards);
    arithmetic.finish(result, ownAt, mine, ownFrom, own, space.terms(), lines.size());
    for (int step = 0; step < cube.steps(); step++) {
      int partner = cube.partner(step);
      Span other = span.sibling();
      lines.exchange(
          partner,
          result,
          resultAt + arithmetic.bytes(span.first(shards)),
          arithmetic.bytes(span.count(shards)),
          partner,
          result,
          resultAt + arithmetic.bytes(other.first(shards)),
          arithmetic.bytes(other.count(shards)));
      span = span.parent();
    }
    if (cube.guest().isPresent()) {
      lines.await(lines.send(cube.guest().getAsInt(), result, resultAt, resultBytes));
    }
  }

  /** Neighbouring shards, a power of two of them, at a multiple of their number. */
  private record Span(int start, int shards) {
    Span half(int upper) {
      return new Span(start + upper * (shards / 2), shards / 2);
    }

    Span sibling() {
      return new Span(start ^ shards, shards);
    }

    Span parent() {
      return new Span(start & -2 * shards, 2 * shards);
    }

    long first(Shards of) {
      return of.offset(start);
    }

    long count(Shards of) {
      return of.offset(start + shards - 1) + of.length(start + shards - 1) - of.offset(start);
    }
  }
}
