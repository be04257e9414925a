package dev.jcomms.jccl.internal.algo.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jcomms.CommMismatchException;
import dev.jcomms.jccl.internal.transport.shm.Boards;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * How a stage is divided for one operation: one lane for all, or one lane a rank, of as many bytes
 * as go in one phase. Where ranks know their own sizes only, a table of them comes first.
 */
final class Lanes {
  private static final long LINE = 64;

  private final Floor floor;
  private final boolean addressed;
  private final boolean table;
  private final boolean noted;
  private final boolean speech;
  private final long unit;

  Lanes(Floor floor, Move move) {
    this.floor = floor;
    this.addressed = move.addressed();
    this.table = move.largest() == Move.UNKNOWN;
    int lanes = addressed ? floor.size() : 1;
    this.noted = !table && move.largest() * lanes <= Boards.PAYLOAD_BYTES;
    if (noted) {
      this.unit = move.largest();
    } else if (table) {
      this.unit = (floor.stageBytes() - first()) / lanes / LINE * LINE;
    } else {
      long share = floor.stageBytes() / lanes / LINE * LINE;
      this.unit = Math.min(share, move.largest());
    }
    // Where a broadcast that is streamed after it would be: the root may be far ahead by then.
    this.speech = !addressed && move.source() != Move.ALL && move.largest() <= floor.speechBytes();
  }

  /** Bytes of a lane: so much of each piece goes in one phase. */
  long unit() {
    return unit;
  }

  /** Phases that a piece of so many bytes takes: at least one, to meet. */
  long phases(long bytes) {
    return bytes == 0 ? 1 : (bytes + unit - 1) / unit;
  }

  /** Where, in this phase, the lane of a rank's stage begins that is for another. */
  long at(int of, int to) {
    long base = noted ? floor.payload(of) : speech ? floor.speech(of, unit) : floor.stage(of);
    return base + (table ? first() : 0) + (addressed ? to * unit : 0);
  }

  private long first() {
    return (2 * floor.size() * 8L + LINE - 1) / LINE * LINE;
  }

  /** Writes what fits one phase of this rank's pieces into its lanes. */
  void fill(Move move, long from) {
    int rank = floor.rank();
    if (move.gives() == null) {
      return;
    }
    if (addressed && move.whole() != null && unit == move.largest()) {
      // The lanes are as the pieces are: one copy for all.
      MemorySegment.copy(move.whole(), 0, floor.memory(), at(rank, 0), move.whole().byteSize());
      return;
    }
    for (int to = 0; to < (addressed ? floor.size() : 1); to++) {
      MemorySegment piece = move.gives()[to];
      long bytes = Math.min(unit, piece.byteSize() - from);
      if (bytes > 0 && !(addressed && to == rank && move.takes() != null)) {
        MemorySegment.copy(piece, from, floor.memory(), at(rank, to), bytes);
      }
    }
  }

  /** Tells what this rank gives to each and expects of each, where the others do not know it. */
  void tell(Move move) {
    if (table) {
      int rank = floor.rank();
      for (int other = 0; other < floor.size(); other++) {
        floor.memory().set(JAVA_LONG, given(rank, other), move.gives()[other].byteSize());
        floor.memory().set(JAVA_LONG, expected(rank, other), move.takes()[other].byteSize());
      }
    }
  }

  private long given(int of, int to) {
    return floor.stage(of) + 8L * to;
  }

  private long expected(int of, int from) {
    return floor.stage(of) + 8L * (floor.size() + from);
  }

  /** Compares what a rank and this one give to each other with what they expect: both find out. */
  void require(int other, Move move) {
    if (table) {
      int rank = floor.rank();
      long given = floor.memory().get(JAVA_LONG, given(other, rank));
      if (given != move.takes()[other].byteSize()) {
        throw mismatch(other, rank, given, move.takes()[other].byteSize());
      }
      long expected = floor.memory().get(JAVA_LONG, expected(other, rank));
      if (expected != move.gives()[other].byteSize()) {
        throw mismatch(rank, other, move.gives()[other].byteSize(), expected);
      }
    }
  }

  static CommMismatchException mismatch(int from, int to, long given, long expected) {
    return new CommMismatchException(
        "rank %d sends bytes=%d, rank %d expects bytes=%d".formatted(from, given, to, expected),
        Set.of(from));
  }
}
