package dev.jcomms.benchmarks.bar;

import dev.jcomms.Comm;
import dev.jcomms.World;
import dev.jcomms.parallel.DataParallel;
import dev.jcomms.tensor.Tensor;
import java.util.Collections;

/**
 * Samples a second of {@code DataParallel}, one kernel thread a rank: what a second rank on a
 * second core adds, where the model is bound by computing.
 */
final class Scaling {
  private static final int BATCH = 256;
  private static final int[] WIDTHS = {784, 512, 512, 10};

  private Scaling() {}

  /** By ranks that are threads of this process. */
  static double samplesPerSecond(int ranks, double seconds) {
    return Collections.min(
            World.of(ranks).backend("jccl").compute(comm -> samplesPerSecond(comm, seconds)))
        * ranks;
  }

  /** Of one rank; collective. */
  static double samplesPerSecond(Comm comm, double seconds) {
    MlpStep step = new MlpStep(BATCH, WIDTHS);
    try (var _ = DataParallel.over(comm, step.parameters)) {
      long steps = 0;
      long start = System.nanoTime();
      // Ranks step together, so rank 0's count and clock are everybody's.
      boolean more = true;
      while (more) {
        step.run();
        steps++;
        boolean mine = System.nanoTime() - start < seconds * 1e9;
        more = steps % 8 != 0 || goOn(comm, mine);
      }
      return steps * BATCH * 1e9 / (System.nanoTime() - start);
    }
  }

  private static boolean goOn(Comm comm, boolean mine) {
    Tensor flag = Tensor.of(mine ? 1 : 0);
    comm.broadcast(flag, 0);
    return flag.getBoolean(0);
  }
}
