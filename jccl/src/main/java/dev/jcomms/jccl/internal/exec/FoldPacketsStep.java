package dev.jcomms.jccl.internal.exec;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Waits for packets, combines them in order with data, and stores the result as data and as
 * packets: {@code repkt}, {@code respkt}, {@code recpkt}, {@code recspkt}.
 *
 * <p>Piece by piece: the packets of a piece are unpacked side by side until all are there, then
 * combined. Sums of floats and ints, the common case, are added up as packets come; each behind the
 * one before it, so the order is the same.
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
  private boolean begun;

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
    MemorySegment pieces = block.pieces(packets.length + 1);
    while (done < source.bytes()) {
      int bytes = (int) Math.min(Block.PIECE, source.bytes() - done);
      boolean all =
          isPlainSum(launch)
              ? add(launch, block, pieces, bytes)
              : unpack(launch, block, pieces.address(), bytes);
      if (!all) {
        return false;
      }
      if (!isPlainSum(launch)) {
        fold(launch, block.terms(), pieces, bytes);
      }
      store(launch, block, pieces, bytes);
      done += bytes;
      begun = false;
      Arrays.fill(come, 0);
      block.stir();
    }
    if (!posting.isSent(launch, block)) {
      return false;
    }
    reset();
    return true;
  }

  private boolean isPlainSum(Launch launch) {
    return reduction == ReduceOp.SUM
        && (launch.dtype() == DType.F32 || launch.dtype() == DType.I32);
  }

  private boolean add(Launch launch, Block block, MemorySegment pieces, int bytes) {
    if (!begun) {
      MemorySegment.copy(launch.segment(source), launch.at(source) + done, pieces, 0, bytes);
      begun = true;
    }
    int before = bytes;
    for (int k = 0; k < packets.length; k++) {
      if (come[k] < before && fetch(launch, block, k, before - come[k])) {
        long to = pieces.address() + come[k];
        int more =
            launch.dtype() == DType.F32
                ? Packets.addFloats(fetched(block), to, before - come[k], launch.flag())
                : Packets.addInts(fetched(block), to, before - come[k], launch.flag());
        come(block, k, more);
      }
      before = come[k];
    }
    return before == bytes;
  }

  private boolean unpack(Launch launch, Block block, long pieces, int bytes) {
    boolean all = true;
    for (int k = 0; k < packets.length; k++) {
      if (come[k] < bytes && fetch(launch, block, k, bytes - come[k])) {
        long to = pieces + (long) (k + 1) * Block.PIECE + come[k];
        come(block, k, Packets.unpack(fetched(block), to, bytes - come[k], launch.flag()));
      }
      all &= come[k] == bytes;
    }
    return all;
  }

  private boolean fetch(Launch launch, Block block, int k, int bytes) {
    long at = launch.packetsAt(packets[k]) + 2 * (done + come[k]);
    return Packets.fetch(launch.memory().all(), at, block.packets(), bytes, launch.flag());
  }

  private static long fetched(Block block) {
    return block.packets().address();
  }

  private void come(Block block, int k, int more) {
    if (more > 0) {
      come[k] += more;
      block.stir();
    }
  }

  private void fold(Launch launch, Terms terms, MemorySegment pieces, int bytes) {
    Reducer reducer = Reducers.of(launch.dtype(), reduction);
    terms.clear().add(launch.segment(source), launch.at(source) + done);
    for (int k = 1; k <= packets.length; k++) {
      terms.add(pieces, (long) k * Block.PIECE);
    }
    // Through a piece, as packets are made of it.
    reducer.reduce(pieces, 0, terms, bytes / launch.dtype().bytes(), 1);
    terms.clear();
  }

  private void store(Launch launch, Block block, MemorySegment pieces, int bytes) {
    long at = launch.at(destination) + done;
    MemorySegment.copy(pieces, 0, launch.segment(destination), at, bytes);
    posting.pack(launch, block, pieces.address(), done, bytes);
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
    begun = false;
    Arrays.fill(come, 0);
    posting.reset();
  }
}
