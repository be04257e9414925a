package dev.jcomms.jccl.internal.pattern;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * The ranks in a row from the root on, each with one neighbour up and one down.
 *
 * <p>Cut into chunks, a buffer passes through all ranks at the speed of one link: {@code B} bytes
 * sent by each but the last, and {@code n-1} steps of one chunk before the last rank gets the first
 * one. Right for very large buffers.
 */
public record Chain(int rank, int size, int root) implements Tree {
  public Chain {
    Objects.checkIndex(rank, size);
    Objects.checkIndex(root, size);
  }

  @Override
  public OptionalInt parent() {
    return place() == 0 ? OptionalInt.empty() : OptionalInt.of(Math.floorMod(rank - 1, size));
  }

  @Override
  public int[] children() {
    return place() == size - 1 ? new int[0] : new int[] {(rank + 1) % size};
  }

  private int place() {
    return Math.floorMod(rank - root, size);
  }
}
