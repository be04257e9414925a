package dev.jcomms.jccl.internal.pattern;

import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A tree of all ranks in which a parent serves up to {@code radix-1} children per level; with radix
 * 2 the binomial tree.
 *
 * <p>A broadcast takes {@code ceil(log n)} levels to base {@code radix}; the root sends {@code B}
 * bytes {@code radix-1} times at each, the others fewer. Right for small buffers; a larger radix
 * trades levels for messages in flight.
 *
 * <p>Ranks count from the root on. In that order each subtree is a run of neighbours that begins
 * with its top, so a gather or scatter moves a subtree as one piece, and a reduction folded child
 * after child (nearest first) has a fixed order.
 */
public record KnomialTree(int rank, int size, int root, int radix) implements Tree {
  public KnomialTree {
    Objects.checkIndex(rank, size);
    Objects.checkIndex(root, size);
    if (radix < 2) {
      throw new IllegalArgumentException("tree: radix=" + radix + "; it needs 2 or more");
    }
  }

  /** The tree of radix 2. */
  public static KnomialTree binomial(int rank, int size, int root) {
    return new KnomialTree(rank, size, root, 2);
  }

  @Override
  public OptionalInt parent() {
    int place = place();
    if (place == 0) {
      return OptionalInt.empty();
    }
    long weight = weight();
    return OptionalInt.of(rankAt(place - (int) (place / weight % radix * weight)));
  }

  @Override
  public int[] children() {
    int place = place();
    int[] children = new int[(radix - 1) * Integer.SIZE];
    int count = 0;
    for (long weight = weight() / radix; weight > 0; weight /= radix) {
      for (int digit = radix - 1; digit > 0; digit--) {
        if (place + digit * weight < size) {
          children[count++] = rankAt((int) (place + digit * weight));
        }
      }
    }
    return Arrays.copyOf(children, count);
  }

  /** Ranks in the subtree that begins here, this one included: itself and those next after it. */
  public int subtree() {
    return (int) Math.min(weight(), size - place());
  }

  /** This rank's distance from the root, counting up. */
  public int place() {
    return Math.floorMod(rank - root, size);
  }

  /** The rank at a distance from the root. */
  public int rankAt(int place) {
    return (int) ((place + (long) root) % size);
  }

  /**
   * The weight of the place's lowest digit that is not zero; at the root, the first one beyond all.
   */
  private long weight() {
    int place = place();
    long weight = 1;
    while (place == 0 ? weight < size : place / weight % radix == 0) {
      weight *= radix;
    }
    return weight;
  }
}
