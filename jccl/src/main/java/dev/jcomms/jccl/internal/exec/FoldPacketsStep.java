package dev.jcomms.jccl.internal.exec;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Waits for packets, combines them in order with data, and stores the result as data and as
 * packets: {@code repkt}, {@code respkt}, {@code recpkt}, {@code recspkt}.
 *
 * <p>Piece by piece: the packets of a piece are unpacked side by side until all are there, then
 * combined.
 */
final class FoldPacketsStep extends Step {
  private final ReduceOp reduction;
  private final Spot source;
  private final Spot[] packets;
  private final Spot destination;
  private final Posting posting;

  /** Bytes done, and of the piece that follows, bytes that have come from each. */
  private long done;

  private final int[] come;

  FoldPacketsStep(
      ReduceOp reduction, Spot source, List<Spot> packets, Spot destination, List<Spot> copies) {
    this.reduction = reduction;
    this.source = source;
    this.packets = packets.toArray(Spot[]::new);
    this.destination = destination;
    this.posting = new Posting(copies.toArray(Spot[]::new));
    this.come = new int[packets.size()];
  }

  @Override
  boolean advance(Launch launch, Block block, long from, long most) {
    MemorySegment pieces = block.pieces(packets.length + 2);
    while (done < source.bytes()) {
      int bytes = (int) Math.min(Block.PIECE, source.bytes() - done);
      if (!unpack(launch, block, pieces.address(), bytes)) {
        return false;
      }
      fold(launch, block.terms(), pieces, bytes);
      done += bytes;
      Arrays.fill(come, 0);
      block.stir();
    }
    if (!posting.isSent(launch, block)) {
      return false;
    }
    reset();
    return true;
  }

  private boolean unpack(Launch launch, Block block, long pieces, int bytes) {
    MemorySegment scratch = launch.memory().all();
    boolean all = true;
    for (int k = 0; k < packets.length; k++) {
      if (come[k] < bytes) {
        long at = launch.packetsAt(packets[k]) + 2 * (done + come[k]);
        long to = pieces + (long) (k + 2) * Block.PIECE + come[k];
        come(block, k, Packets.unpack(scratch, at, to, bytes - come[k], launch.flag()));
      }
      all &= come[k] == bytes;
    }
    return all;
  }

  private void come(Block block, int k, int more) {
    if (more > 0) {
      come[k] += more;
      block.stir();
    }
  }

  /** Straight to where it goes, unless that is on the heap; the source before what has come. */
  private void fold(Launch launch, Terms terms, MemorySegment pieces, int bytes) {
    MemorySegment.copy(
        launch.segment(source), launch.at(source) + done, pieces, Block.PIECE, bytes);
    MemorySegment result = launch.segment(destination);
    long at = launch.at(destination) + done;
    if (result.isNative()) {
      fold(launch, terms, pieces, bytes, result, at);
      posting.pack(launch, result.address() + at, done, bytes);
    } else {
      fold(launch, terms, pieces, bytes, pieces, 0);
      MemorySegment.copy(pieces, 0, result, at, bytes);
      posting.pack(launch, pieces.address(), done, bytes);
    }
  }

  private void fold(
      Launch launch, Terms terms, MemorySegment pieces, int bytes, MemorySegment out, long at) {
    Reducer reducer = Reducers.of(launch.dtype(), reduction);
    long elements = bytes / launch.dtype().bytes();
    int rows = packets.length + 1;
    if (reduction != ReduceOp.AVG
        && reducer.reduceRows(out, at, pieces, Block.PIECE, Block.PIECE, rows, elements)) {
      return;
    }
    terms.clear();
    for (int row = 1; row <= rows; row++) {
      terms.add(pieces, (long) row * Block.PIECE);
    }
    reducer.reduce(out, at, terms, elements, 1);
    terms.clear();
  }

  @Override
  Awaited awaited(Launch launch) {
    for (int k = 0; k < packets.length && done < source.bytes(); k++) {
      if (come[k] < Math.min(Block.PIECE, source.bytes() - done)) {
        return new Awaited(Packets.missing(packets[k], done + come[k]), source.rank());
      }
    }
    return posting.awaited(launch);
  }

  @Override
  void reset() {
    done = 0;
    Arrays.fill(come, 0);
    posting.reset();
  }
}
