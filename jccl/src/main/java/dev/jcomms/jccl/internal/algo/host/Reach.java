package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.CommAbortedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Getting at other ranks' tensors without a staging copy.
 *
 * <p>In one phase, every rank shows its tensors and all meet; then all ranks know, alike, in which
 * way everybody's can be had, and use it until they part. One operation at a time.
 */
interface Reach {
  /** No rank. */
  int NOBODY = -2;

  /** All but the one that gives. */
  int OTHERS = -3;

  /** How the tensors that were shown can be had. */
  enum Way {
    /** As memory of this process, to read and write. */
    MAPPED,
    /** As memory of this process, to read. */
    SEEN,
    /** By asking the kernel to copy from them. */
    READABLE,
    /** Not by all, so by nobody. */
    NONE
  }

  /**
   * Shows this rank's tensors, in the phase that was begun.
   *
   * @param pieces what it gives; may be null
   * @param whole the memory that the pieces are equal and consecutive parts of; may be null
   * @param output what others may write to or read its result from; may be null
   */
  void show(MemorySegment[] pieces, MemorySegment whole, MemorySegment output);

  /**
   * How the tensors of all who had to show some can be had. The same on every rank.
   *
   * @param giver the one rank whose pieces are needed; {@link Move#ALL} if all ranks' are
   * @param taker the one rank whose output is needed; {@link Move#ALL}, {@link #OTHERS}, or {@link
   *     #NOBODY}
   */
  Way way(int giver, int taker);

  /** A piece of a rank that is mapped or seen, of so many bytes. */
  MemorySegment piece(int rank, int index, long bytes);

  /** A rank's output that is mapped, of so many bytes. */
  MemorySegment output(int rank, long bytes);

  /** Copies from a rank's piece, of {@code of} bytes, so many bytes from {@code at} on. */
  void readPiece(
      int rank, int index, long of, long at, MemorySegment into, long intoAt, long bytes);

  /** Copies from a rank's output. */
  void readOutput(int rank, long at, MemorySegment into, long intoAt, long bytes);

  /**
   * Finds whether this rank still has the output that it has shown where others have it. Not so if
   * memory beside it was withdrawn by another communicator, which has failed meanwhile.
   *
   * @throws CommAbortedException if what was written there has not come here, or the other way
   */
  void requireIntact();

  /** How long a rank that has failed waits for others to leave alone what it has shown. */
  long patienceNanos();

  /**
   * Takes back what this rank has shown for others to write to, after a failure: they may not be
   * done with it. Symmetric memory stays everybody's.
   *
   * @throws IOException if they may write to it all the same
   */
  void withdraw() throws IOException;

  /** Forgets what this rank has shown. */
  void forget();
}
