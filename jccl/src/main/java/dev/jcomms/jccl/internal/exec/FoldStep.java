package dev.jcomms.jccl.internal.exec;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Combines data, in order, and copies the result to further places: {@code re}, {@code res}, {@code
 * rre}, {@code rres}, {@code glre}, {@code glres}.
 */
final class FoldStep extends Step {
  /** Bytes combined before they are copied on: they are still in the cache then. */
  private static final long PIECE = 64 << 10;

  private final ReduceOp reduction;
  private final Fetch[] sources;
  private final Spot destination;
  private final Spot[] others;
  private boolean folded;

  /**
   * @param destination of this rank
   */
  FoldStep(ReduceOp reduction, List<Spot> sources, Spot destination, List<Spot> others) {
    this.reduction = reduction;
    this.sources = sources.stream().map(Fetch::new).toArray(Fetch[]::new);
    this.destination = destination;
    this.others = others.toArray(Spot[]::new);
  }

  @Override
  boolean advance(Launch launch, Block block, long from, long most) {
    long start = Math.min(from, destination.bytes());
    long bytes = Math.min(most, destination.bytes() - start);
    if (!folded) {
      if (!isReady(launch, block, start, bytes)) {
        return false;
      }
      fold(launch, block.terms(), start, bytes);
      send(launch, block, start, bytes);
      folded = true;
    }
    if (!block.isSent()) {
      return false;
    }
    reset();
    return true;
  }

  private boolean isReady(Launch launch, Block block, long start, long bytes) {
    for (Spot other : others) {
      if (!launch.reaches(other)) {
        return false;
      }
    }
    boolean there = true;
    for (Fetch source : sources) {
      if (!launch.reaches(source.source())) {
        return false;
      }
      there &= source.isThere(launch, block, start, bytes);
    }
    return there;
  }

  private void fold(Launch launch, Terms terms, long start, long bytes) {
    Reducer reducer = Reducers.of(launch.dtype(), reduction);
    int width = launch.dtype().bytes();
    MemorySegment result = launch.segment(destination);
    long resultAt = launch.at(destination) + start;
    for (long done = 0; done < bytes; done += PIECE) {
      long now = Math.min(PIECE, bytes - done);
      terms.clear();
      for (Fetch source : sources) {
        terms.add(source.segment(launch), source.at(launch, start) + done);
      }
      reducer.reduce(result, resultAt + done, terms, now / width, 1);
      for (Spot other : others) {
        if (!launch.isFar(other)) {
          long there = launch.at(other) + start + done;
          MemorySegment.copy(result, resultAt + done, launch.segment(other), there, now);
        }
      }
    }
    terms.clear();
  }

  private void send(Launch launch, Block block, long start, long bytes) {
    for (Spot other : others) {
      if (launch.isFar(other) && bytes > 0) {
        MemorySegment result = launch.segment(destination);
        long at = launch.at(destination) + start;
        long there = launch.farAt(other) + start;
        block.send(launch.memory().far().put(result, at, bytes, other.rank(), there));
      }
    }
  }

  @Override
  Awaited awaited(Launch launch) {
    for (Fetch source : sources) {
      if (!launch.reaches(source.source()) || !folded && launch.isFar(source.source())) {
        return new Awaited(source.source().toString(), source.source().rank());
      }
    }
    for (Spot other : others) {
      if (!launch.reaches(other) || launch.isFar(other)) {
        return new Awaited(other.toString(), other.rank());
      }
    }
    return new Awaited(destination.toString(), destination.rank());
  }

  @Override
  void reset() {
    folded = false;
    for (Fetch source : sources) {
      source.reset();
    }
  }
}
