package dev.jcomms.benchmarks.bar;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.util.Locale;

/**
 * {@link Scaling} by ranks that are processes: run by {@code jcomms run -n N}, with one and with
 * two ranks. Of several rounds the best counts.
 *
 * <pre>{@code ScalingRank [SECONDS [ROUNDS]]}</pre>
 */
public final class ScalingRank {
  private ScalingRank() {}

  public static void main(String... args) {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 1;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    try (Comm comm = Comm.newComm()) {
      Scaling.samplesPerSecond(comm, 2 * seconds); // until the compiler is done
      double best = 0;
      for (int round = 0; round < rounds; round++) {
        Tensor slowest = Tensor.of(Scaling.samplesPerSecond(comm, seconds));
        comm.allReduce(slowest, ReduceOp.MIN);
        best = Math.max(best, slowest.getDouble(0) * comm.size());
      }
      if (comm.rank() == 0) {
        System.out.printf(
            Locale.ROOT, "data parallel: %.0f samples/s on %d processes%n", best, comm.size());
      }
    }
  }
}
