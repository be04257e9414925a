package dev.jcomms.jccl.internal.pattern;

import java.util.Objects;

/**
 * Bruck's patterns: step {@code s} reaches {@code 2^s} ranks far, so {@code ceil(log2 n)} steps
 * reach everyone, for any number of ranks.
 *
 * <p>All-to-all: at each step a rank sends those half of its blocks whose place has the step's bit
 * set: {@code B/2} bytes a step instead of {@code B/n}, but {@code log2 n} steps instead of {@code
 * n-1}: right for small blocks. All-gather: the blocks gathered so far are sent on, twice as many
 * at each step, {@code B(n-1)/n} bytes in all: the fewest steps at the fewest bytes, if the final
 * rotation is free.
 *
 * <p>Blocks lie at places counted from the rank itself; the methods named after places say what
 * that makes them. Without any blocks, {@link #to} and {@link #from} are a barrier by
 * dissemination.
 */
public record Bruck(int rank, int size) {
  public Bruck {
    Objects.checkIndex(rank, size);
  }

  public int steps() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
  }

  /** Whom an all-to-all, or a barrier, sends to at a step. */
  public int to(int step) {
    return away(1 << step);
  }

  /** Whom an all-to-all, or a barrier, receives from at a step. */
  public int from(int step) {
    return away(-(1 << step));
  }

  /** Whether the block at a place is sent at a step, and replaced by what comes in. */
  public boolean moves(int step, int place) {
    return (place >> step & 1) == 1;
  }

  /** All-to-all, before the first step: the rank that the block at a place is for. */
  public int destination(int place) {
    return away(place);
  }

  /** All-to-all, after the last step: the rank that the block at a place came from. */
  public int source(int place) {
    return away(-place);
  }

  /** Whom an all-gather sends to at a step: the first {@link #gathers} places. */
  public int gatherTo(int step) {
    return away(-(1 << step));
  }

  /** Whom an all-gather receives from at a step: places from {@code 2^step} on. */
  public int gatherFrom(int step) {
    return away(1 << step);
  }

  /** Blocks that an all-gather sends, and receives, at a step. */
  public int gathers(int step) {
    return Math.min(1 << step, size - (1 << step));
  }

  /** All-gather: the rank whose block is at a place. */
  public int gathered(int place) {
    return away(place);
  }

  private int away(int distance) {
    return Math.floorMod(rank + distance, size);
  }
}
