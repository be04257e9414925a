package dev.jcomms.jccl.internal.pattern;

import java.util.Objects;

/**
 * Everyone meets everyone, one at a time.
 *
 * <p>An all-to-all in {@code n} steps, one of them with oneself, and {@code B(n-1)/n} bytes: each
 * byte travels once, so right for large blocks. At step {@code s} those ranks meet that add up to
 * {@code s} modulo {@code n}: both know it, whatever {@code n} is, and no rank has two partners.
 *
 * <p>{@link #to} and {@link #from} are the same without meetings: what is sent at step {@code s}
 * goes {@code s} ranks up, and all links carry one message at a time.
 */
public record Pairwise(int rank, int size) {
  public Pairwise {
    Objects.checkIndex(rank, size);
  }

  public int steps() {
    return size;
  }

  /** Whom to exchange with at a step; oneself, once. */
  public int partner(int step) {
    return Math.floorMod(Objects.checkIndex(step, size) - rank, size);
  }

  /** Whom to send to at a step; at step 0 oneself. */
  public int to(int step) {
    return Math.floorMod(rank + Objects.checkIndex(step, size), size);
  }

  /** Whom to receive from at a step; at step 0 oneself. */
  public int from(int step) {
    return Math.floorMod(rank - Objects.checkIndex(step, size), size);
  }
}
