package dev.jcomms.benchmarks.bar;

import dev.jcomms.World;
import dev.jcomms.parallel.DataParallel;
import java.util.Collections;

/**
 * Samples a second of {@code DataParallel}, by ranks that are threads with one kernel thread each:
 * what a second rank on a second core adds, where the model is bound by computing.
 */
final class Scaling {
  private static final int BATCH = 256;
  private static final int[] WIDTHS = {784, 512, 512, 10};

  private Scaling() {}

  static double samplesPerSecond(int ranks, double seconds) {
    return Collections.min(
            World.of(ranks)
                .backend("jccl")
                .compute(
                    comm -> {
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
                    }))
        * ranks;
  }

  private static boolean goOn(dev.jcomms.Comm comm, boolean mine) {
    var flag = dev.jcomms.tensor.Tensor.of(mine ? 1 : 0);
    comm.broadcast(flag, 0);
    return flag.getBoolean(0);
  }
}
