package dev.jcomms.cli.bench.measure;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;

/** One operation over and over. Used by one thread. */
final class CollectiveLoop implements Workload {
  private final Comm comm;
  private final Collective op;
  private final OpOptions options;

  CollectiveLoop(Comm comm, Collective op, OpOptions options) {
    this.comm = comm;
    this.op = op;
    this.options = options;
  }

  @Override
  public long batch(int iterations) {
    long begin = System.nanoTime();
    for (int i = 0; i < iterations; i++) comm.run(op, options);
    return System.nanoTime() - begin;
  }

  @Override
  public void samples(long[] nanos, int count, int group) {
    long before = System.nanoTime();
    for (int s = 0; s < count; s++) {
      for (int i = 0; i < group; i++) comm.run(op, options);
      long now = System.nanoTime();
      nanos[s] = now - before;
      before = now;
    }
  }
}
