package dev.jcomms.jccl.internal.pattern;

import java.util.Objects;

/**
 * Ranks in a circle, each sending to the next only; the buffer is cut into as many chunks as there
 * are ranks.
 *
 * <p>A reduce-scatter takes {@code n-1} steps and sends {@code B(n-1)/n} bytes; so does an
 * all-gather, and the two in a row make an all-reduce. No pattern sends less, and none has more
 * steps: right for large buffers.
 *
 * <p>Reducing, a chunk starts at the rank after its owner and travels once around, gathering one
 * contribution at each rank, to its owner: chunk {@code c} is folded in the order {@code c+1, c+2,
 * …, c}, once, so all ranks get the same bits.
 */
public record Ring(int rank, int size) {
  public Ring {
    Objects.checkIndex(rank, size);
  }

  /** Whom this rank sends to. */
  public int next() {
    return chunk(1);
  }

  /** Whom this rank receives from. */
  public int previous() {
    return chunk(-1);
  }

  /** Steps of a reduce-scatter, and of an all-gather. */
  public int steps() {
    return size - 1;
  }

  /**
   * The chunk to send at a step of a reduce-scatter: at first its own, later what came in before.
   */
  public int reduceSends(int step) {
    return chunk(-step - 1);
  }

  /**
   * The chunk that comes in to be folded with this rank's own; at the last step it is chunk rank.
   */
  public int reduceReceives(int step) {
    return chunk(-step - 2);
  }

  /**
   * The chunk to send at a step of an all-gather: at first chunk rank, later what came in before.
   */
  public int gatherSends(int step) {
    return chunk(-step);
  }

  /** The chunk that comes in, complete. */
  public int gatherReceives(int step) {
    return chunk(-step - 1);
  }

  private int chunk(int distance) {
    return Math.floorMod(rank + distance, size);
  }
}
