package dev.jcomms.jccl.internal.pattern;

import java.util.Objects;

/**
 * A buffer cut into as many shards as asked for, in order, without gaps.
 *
 * <p>Each shard begins at a multiple of {@code alignment} elements, as long as there are elements;
 * no two differ by twice that. What does not divide makes the first shards longer; the last ones
 * may be cut short, or empty.
 */
public record Shards(long elements, int count, long alignment) {
  public Shards {
    if (elements < 0 || count < 1 || alignment < 1) {
      throw new IllegalArgumentException(
          "shards: elements=%d count=%d alignment=%d".formatted(elements, count, alignment));
    }
  }

  /** Shards that differ by one element at most. */
  public static Shards of(long elements, int count) {
    return new Shards(elements, count, 1);
  }

  /** The first element of a shard. */
  public long offset(int shard) {
    return end(Objects.checkIndex(shard, count) - 1);
  }

  /** Elements of a shard. */
  public long length(int shard) {
    return end(shard) - offset(shard);
  }

  /** Elements of the longest shard: the first. */
  public long longest() {
    return length(0);
  }

  private long end(int shard) {
    long units = elements / alignment + (elements % alignment == 0 ? 0 : 1);
    long shards = shard + 1L;
    long whole = shards * (units / count) + Math.min(shards, units % count);
    return whole == units ? elements : whole * alignment;
  }
}
