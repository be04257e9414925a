package dev.jcomms.jccl.internal.pattern;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * Recursive doubling: at each step a rank exchanges with the one across the next dimension of a
 * cube.
 *
 * <p>With {@code n} a power of two, an all-reduce of whole buffers takes {@code log2 n} steps and
 * {@code B log2 n} bytes: the fewest steps there are, right for small buffers. Walked from the last
 * dimension to the first with half the buffer each time, the same partners give a reduce-scatter of
 * {@code B(n-1)/n} bytes.
 *
 * <p>With any other {@code n}, the ranks beyond the largest power of two stay out: each such guest
 * hands its data to a host, the rank after it, before the first step, and gets the result after the
 * last one. That is two steps more, and {@code B} bytes more for hosts and guests.
 *
 * <p>A corner stands for its rank and its guest, who are neighbours; after each step, for a run of
 * neighbours. Whoever folds the lower rank's part first folds everything in rank order.
 */
public record Hypercube(int rank, int size) {
  public Hypercube {
    Objects.checkIndex(rank, size);
  }

  /** Exchanges in the cube; hand-over and return of guests come on top. */
  public int steps() {
    return Integer.numberOfTrailingZeros(corners());
  }

  /** Ranks in the cube: the largest power of two that is not above the size. */
  public int corners() {
    return Integer.highestOneBit(size);
  }

  /** The rank that stands in for this one, if this one is a guest. */
  public OptionalInt host() {
    boolean guest = rank < 2 * guests() && rank % 2 == 0;
    return guest ? OptionalInt.of(rank + 1) : OptionalInt.empty();
  }

  /** The rank that this one stands in for, if there is one. */
  public OptionalInt guest() {
    boolean host = rank < 2 * guests() && rank % 2 == 1;
    return host ? OptionalInt.of(rank - 1) : OptionalInt.empty();
  }

  /** Whom to exchange with at a step. Not for guests. */
  public int partner(int step) {
    Objects.checkIndex(step, steps());
    return rankAt(corner() ^ 1 << step);
  }

  /** This rank's corner of the cube. Not for guests. */
  public int corner() {
    if (host().isPresent()) {
      throw new IllegalStateException(
          "rank " + rank + " of " + size + " is a guest of rank " + host().getAsInt());
    }
    return rank < 2 * guests() ? rank / 2 : rank - guests();
  }

  /** The rank at a corner. */
  public int rankAt(int corner) {
    return corner < guests() ? 2 * corner + 1 : corner + guests();
  }

  private int guests() {
    return size - corners();
  }
}
