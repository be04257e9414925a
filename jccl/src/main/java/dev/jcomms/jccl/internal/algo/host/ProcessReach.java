package dev.jcomms.jccl.internal.algo.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jcomms.CommAbortedException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.memory.LargeCopy;
import dev.jcomms.jccl.internal.posix.PeerMemory;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.Sight;
import dev.jcomms.jccl.internal.transport.shm.Standings;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Reach between processes: symmetric memory is mapped by all; tensors that a process has allocated
 * are seen by all where the system has files for that; native memory of any kind can be read where
 * the kernel lets one process read another.
 *
 * <p>Outputs that are seen are written to as well: should a rank fail while another is at them, it
 * withdraws its own.
 *
 * <p>A rank shows three numbers each of its pieces and its output, in its note: where they are in
 * symmetric memory, where among its tensors, and their addresses; zero for what is not so.
 */
final class ProcessReach implements Reach {
  /** The words of what a rank shows. */
  private static final int SYMMETRIC = 0;

  private static final int SEEN = 1;
  private static final int ADDRESS = 2;
  private static final int PIECES = 0;
  private static final int OUTPUT = 3;
  private static final int WORDS = 6;

  /** Bytes that go through native memory at once on their way to a Java array. */
  private static final long BOUNCE = 128 << 10;

  private final Floor floor;
  private final SymmetricMemory symmetric;
  private final Sight sight;
  private final Runnable liveness;
  private final PeerMemory peers = new PeerMemory();
  private final long[] said;

  /** Null from when tensors are shown until all ranks know it. */
  private Way way;

  private boolean symmetrically;
  private MemorySegment ownPiece;
  private MemorySegment ownOutput;
  private MemorySegment bounce;

  /**
   * @param sight what processes see of each other
   * @param liveness raises the alarm if a process is gone
   */
  ProcessReach(Floor floor, SymmetricMemory symmetric, Sight sight, Runnable liveness) {
    this.floor = floor;
    this.symmetric = symmetric;
    this.sight = sight;
    this.liveness = liveness;
    this.said = new long[floor.size() * WORDS];
  }

  @Override
  public void show(MemorySegment[] pieces, MemorySegment whole, MemorySegment output) {
    this.ownPiece = whole != null || pieces == null || pieces.length > 1 ? whole : pieces[0];
    this.ownOutput = output;
    this.way = null;
    say(PIECES, ownPiece);
    say(OUTPUT, output);
  }

  private void say(int what, MemorySegment segment) {
    say(what + SYMMETRIC, segment == null ? 0 : symmetric.describe(segment));
    say(what + SEEN, segment == null ? 0 : sight.describe(segment));
    say(what + ADDRESS, segment == null || !segment.isNative() ? 0 : segment.address());
  }

  private void say(int word, long value) {
    floor.memory().set(JAVA_LONG, floor.payload(floor.rank()) + 8L * word, value);
  }

  /** What a rank had said when all met: later phases have other notes. */
  private long said(int rank, int word) {
    return said[rank * WORDS + word];
  }

  @Override
  public Way way(int giver, int taker) {
    for (int r = 0; r < floor.size(); r++) {
      MemorySegment.copy(floor.memory(), JAVA_LONG, floor.payload(r), said, r * WORDS, WORDS);
    }
    symmetrically = isEverybodys(SYMMETRIC, giver, taker);
    if (symmetrically) {
      way = Way.MAPPED;
    } else if (sight.seesTensors() && isEverybodys(SEEN, giver, taker)) {
      way = taker == NOBODY ? Way.SEEN : Way.MAPPED;
    } else if (sight.reads() && isEverybodys(ADDRESS, giver, taker)) {
      way = Way.READABLE;
    } else {
      way = Way.NONE;
    }
    return way;
  }

  private boolean isEverybodys(int word, int giver, int taker) {
    for (int r = 0; r < floor.size(); r++) {
      boolean gives = giver == Move.ALL || giver == r;
      boolean takes = taker == Move.ALL || taker == r || taker == OTHERS && !gives;
      if (gives && said(r, PIECES + word) == 0 || takes && said(r, OUTPUT + word) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public MemorySegment piece(int rank, int index, long bytes) {
    return place(rank, PIECES, (index + 1) * bytes).asSlice(index * bytes);
  }

  @Override
  public MemorySegment output(int rank, long bytes) {
    return place(rank, OUTPUT, bytes);
  }

  private MemorySegment place(int rank, int what, long bytes) {
    if (rank == floor.rank()) {
      return (what == PIECES ? ownPiece : ownOutput).asSlice(0, bytes);
    }
    return symmetrically
        ? symmetric.resolve(said(rank, what + SYMMETRIC), bytes)
        : sight.resolve(rank, said(rank, what + SEEN), bytes);
  }

  @Override
  public void readPiece(
      int rank, int index, long of, long at, MemorySegment into, long intoAt, long bytes) {
    read(rank, PIECES, index * of + at, into, intoAt, bytes);
  }

  @Override
  public void readOutput(int rank, long at, MemorySegment into, long intoAt, long bytes) {
    read(rank, OUTPUT, at, into, intoAt, bytes);
  }

  private void read(int rank, int what, long at, MemorySegment into, long intoAt, long bytes) {
    if (way != Way.READABLE) {
      LargeCopy.copy(place(rank, what, at + bytes), at, into, intoAt, bytes);
      return;
    }
    try {
      readThroughKernel(sight.pid(rank), said(rank, what + ADDRESS) + at, into, intoAt, bytes);
    } catch (IOException e) {
      liveness.run();
      floor.standings().requireNoFailure(); // it may have failed, said so, and freed its memory
      throw new PeerLostException(Set.of(floor.name(rank)), e.getMessage(), e);
    }
  }

  private void readThroughKernel(
      long pid, long address, MemorySegment into, long intoAt, long bytes) throws IOException {
    if (into.isNative()) {
      peers.read(pid, address, into, intoAt, bytes);
      return;
    }
    if (bounce == null) {
      bounce = Arena.ofAuto().allocate(BOUNCE, 64);
    }
    for (long done = 0; done < bytes; done += BOUNCE) {
      long now = Math.min(BOUNCE, bytes - done);
      peers.read(pid, address + done, bounce, 0, now);
      MemorySegment.copy(bounce, 0, into, intoAt + done, now);
    }
  }

  @Override
  public void requireIntact() {
    if (!symmetrically && ownOutput != null && sight.describe(ownOutput) == 0) {
      throw new CommAbortedException(
          "memory beside the output of rank %d was withdrawn when another communicator failed"
              .formatted(floor.name(floor.rank())));
    }
  }

  @Override
  public long patienceNanos() {
    return Standings.LAST_NANOS;
  }

  @Override
  public void withdraw() throws IOException {
    boolean written = way == null || way == Way.MAPPED;
    if (ownOutput != null && written) {
      sight.withdraw(ownOutput);
    }
  }

  @Override
  public void forget() {
    ownPiece = null;
    ownOutput = null;
  }
}
