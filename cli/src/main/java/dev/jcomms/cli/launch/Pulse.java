package dev.jcomms.cli.launch;

import dev.jcomms.store.Store;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Whether the launchers of all nodes still run: each counts up its {@code G/alive/I} in the store,
 * and node 0 looks whether the others do. Belongs to one thread.
 */
final class Pulse {

  /**
   * How often to count, and after how many looks in vain a node is lost. Looks are counted, not
   * time: a node 0 that was frozen has kept the others from counting.
   */
  record Pace(Duration beat, int looks) {
    /** As torchrun's keep-alive, but more patient: a machine may be short of time. */
    static final Pace USUAL = new Pace(Duration.ofSeconds(5), 6);

    /** How long a node may be silent. */
    Duration limit() {
      return beat.multipliedBy(looks);
    }
  }

  private final Store store;
  private final String prefix;
  private final int node;
  private final Pace pace;
  private final long[] counts;
  private final int[] vain;

  Pulse(Store store, int generation, int node, int nodes, Pace pace) {
    this.store = store;
    this.prefix = generation + "/alive/";
    this.node = node;
    this.pace = pace;
    this.counts = new long[nodes];
    this.vain = new int[nodes];
  }

  /** Counts up; on node 0 also looks, and returns a node that is lost. */
  OptionalInt beat() {
    store.add(prefix + node, 1);
    if (node > 0) return OptionalInt.empty();
    for (int other = 1; other < counts.length; other++) {
      long count = store.add(prefix + other, 0);
      vain[other] = count == counts[other] ? vain[other] + 1 : 0;
      counts[other] = count;
      if (vain[other] >= pace.looks()) return OptionalInt.of(other);
    }
    return OptionalInt.empty();
  }
}
