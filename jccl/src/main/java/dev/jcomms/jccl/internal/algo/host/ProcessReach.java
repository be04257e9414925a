package dev.jcomms.jccl.internal.algo.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.posix.PeerMemory;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Reach between processes: symmetric memory is mapped by all; native memory of any kind can be read
 * where the kernel lets one process read another.
 *
 * <p>A rank shows four numbers in its note: where its pieces and its output are in symmetric
 * memory, and their addresses; zero for what is not so.
 */
final class ProcessReach implements Reach {
  private static final int PIECES = 0;
  private static final int OUTPUT = 1;
  private static final int PIECES_ADDRESS = 2;
  private static final int OUTPUT_ADDRESS = 3;
  private static final int WORDS = 4;

  /** Bytes that go through native memory at once on their way to a Java array. */
  private static final long BOUNCE = 128 << 10;

  private final Floor floor;
  private final SymmetricMemory symmetric;
  private final long[] pids;
  private final Runnable liveness;
  private final PeerMemory peers = new PeerMemory();
  private final long[] said;
  private MemorySegment bounce;

  /**
   * @param pids of the ranks' processes, which the kernel is known to let this one read; null if it
   *     does not let all read all
   * @param liveness raises the alarm if a process is gone
   */
  ProcessReach(Floor floor, SymmetricMemory symmetric, long[] pids, Runnable liveness) {
    this.floor = floor;
    this.symmetric = symmetric;
    this.pids = pids;
    this.liveness = liveness;
    this.said = new long[floor.size() * WORDS];
  }

  @Override
  public void show(MemorySegment[] pieces, MemorySegment whole, MemorySegment output) {
    MemorySegment given =
        whole != null ? whole : pieces != null && pieces.length == 1 ? pieces[0] : null;
    say(PIECES, given == null ? 0 : symmetric.describe(given));
    say(OUTPUT, output == null ? 0 : symmetric.describe(output));
    say(PIECES_ADDRESS, address(given));
    say(OUTPUT_ADDRESS, address(output));
  }

  private void say(int word, long value) {
    floor.memory().set(JAVA_LONG, floor.payload(floor.rank()) + 8L * word, value);
  }

  /** What a rank had said when all met: later phases have other notes. */
  private long said(int rank, int word) {
    return said[rank * WORDS + word];
  }

  private static long address(MemorySegment segment) {
    return segment != null && segment.isNative() ? segment.address() : 0;
  }

  @Override
  public Way way(int giver, int taker) {
    for (int r = 0; r < floor.size(); r++) {
      MemorySegment.copy(floor.memory(), JAVA_LONG, floor.payload(r), said, r * WORDS, WORDS);
    }
    boolean mapped = true;
    boolean readable = pids != null;
    for (int r = 0; r < floor.size(); r++) {
      if (giver == Move.ALL || giver == r) {
        mapped &= said(r, PIECES) != 0;
        readable &= said(r, PIECES_ADDRESS) != 0;
      }
      if (taker == Move.ALL || taker == r) {
        mapped &= said(r, OUTPUT) != 0;
        readable &= said(r, OUTPUT_ADDRESS) != 0;
      }
    }
    return mapped ? Way.MAPPED : readable ? Way.READABLE : Way.NONE;
  }

  @Override
  public MemorySegment piece(int rank, int index, long bytes) {
    return symmetric.resolve(said(rank, PIECES), (index + 1) * bytes).asSlice(index * bytes);
  }

  @Override
  public MemorySegment output(int rank, long bytes) {
    return symmetric.resolve(said(rank, OUTPUT), bytes);
  }

  @Override
  public void readPiece(
      int rank, int index, long of, long at, MemorySegment into, long intoAt, long bytes) {
    read(rank, said(rank, PIECES_ADDRESS) + index * of + at, into, intoAt, bytes);
  }

  @Override
  public void readOutput(int rank, long at, MemorySegment into, long intoAt, long bytes) {
    read(rank, said(rank, OUTPUT_ADDRESS) + at, into, intoAt, bytes);
  }

  private void read(int rank, long address, MemorySegment into, long intoAt, long bytes) {
    try {
      if (into.isNative()) {
        peers.read(pids[rank], address, into, intoAt, bytes);
        return;
      }
      if (bounce == null) {
        bounce = Arena.ofAuto().allocate(BOUNCE, 64);
      }
      for (long done = 0; done < bytes; done += BOUNCE) {
        long now = Math.min(BOUNCE, bytes - done);
        peers.read(pids[rank], address + done, bounce, 0, now);
        MemorySegment.copy(bounce, 0, into, intoAt + done, now);
      }
    } catch (IOException e) {
      liveness.run();
      throw new PeerLostException(Set.of(floor.name(rank)), e.getMessage(), e);
    }
  }

  /** What was shown is numbers in a note. */
  @Override
  public void forget() {}
}
