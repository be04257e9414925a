package dev.jcomms.testkit.scenario;

import dev.jcomms.tensor.DType;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Tier;
import java.util.List;
import java.util.TreeSet;

/**
 * Element counts that find mistakes at edges: nothing, one, around the number of ranks, odd and
 * large.
 */
final class Counts {
  private Counts() {}

  /** The counts for a dtype; in the quick tier only one goes beyond a thousand. */
  static List<Long> of(Rank rank, DType dtype) {
    TreeSet<Long> counts = new TreeSet<>(small(rank));
    boolean full = rank.subject().tier() == Tier.FULL;
    if (full || dtype == DType.F32) {
      counts.add(65_537L);
    }
    if (full && (dtype == DType.F32 || dtype == DType.BF16)) {
      counts.add(1L << 20);
    }
    return List.copyOf(counts);
  }

  /** Those that cost nothing. */
  static List<Long> small(Rank rank) {
    long n = rank.size();
    return List.copyOf(new TreeSet<>(List.of(0L, 1L, n - 1, n, n + 1, 1000L)));
  }
}
