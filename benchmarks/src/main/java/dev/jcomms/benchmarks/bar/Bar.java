package dev.jcomms.benchmarks.bar;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Holds operators, a training step and {@code DataParallel} against their goals, with PyTorch
 * beside them in one run if {@code JCOMMS_PYTHON} names a Python that has it: the two take turns,
 * case by case, so that what else the machine does meets both. Of several rounds the best counts.
 *
 * <pre>{@code Bar [--rounds 5] [--seconds 0.5] [--only add_16,mlp_step]}</pre>
 */
public final class Bar {
  private static final double SCALING = 1.6;

  private Bar() {}

  public static void main(String... args) throws IOException {
    int rounds = (int) option(args, "--rounds", 5);
    double seconds = option(args, "--seconds", 0.5);
    List<String> only = only(args);
    if (!"1".equals(System.getProperty("jcomms.threads"))) {
      System.out.println("note: not measured on one thread; set -Djcomms.threads=1");
    }
    try (Torch torch = Torch.start()) {
      System.out.println(torch == null ? "JCOMMS_PYTHON is not set: no PyTorch" : torch.version);
      System.out.printf(
          "%-12s %12s %12s %8s %8s%n", "case", "jcomms ns", "torch ns", "ratio", "goal");
      for (Case c : Cases.all()) {
        if (only.isEmpty() || only.contains(c.name())) {
          measure(c, torch, rounds, seconds);
        }
      }
    }
    if (only.isEmpty() || only.contains("scaling")) {
      scaling(rounds, seconds);
    }
  }

  private static void measure(Case c, Torch torch, int rounds, double seconds) throws IOException {
    c.warmUp(Math.max(2, 4 * seconds)); // until the compiler is done
    double ours = Double.MAX_VALUE;
    double theirs = Double.MAX_VALUE;
    for (int round = 0; round < rounds; round++) {
      ours = Math.min(ours, c.nanos(seconds));
      if (torch != null) {
        theirs = Math.min(theirs, torch.nanos(c.name(), seconds));
      }
    }
    if (torch == null) {
      System.out.printf(Locale.ROOT, "%-12s %12.0f%n", c.name(), ours);
    } else {
      double ratio = ours / theirs;
      System.out.printf(
          Locale.ROOT,
          "%-12s %12.0f %12.0f %8.2f %8.2f %s%n",
          c.name(),
          ours,
          theirs,
          ratio,
          c.most(),
          ratio <= c.most() ? "ok" : "missed");
    }
  }

  private static void scaling(int rounds, double seconds) {
    double[] best = new double[3];
    new Case("scaling", 0, () -> Scaling.samplesPerSecond(2, seconds)).warmUp(4 * seconds);
    for (int round = 0; round < rounds; round++) {
      for (int ranks = 1; ranks <= 2; ranks++) {
        best[ranks] = Math.max(best[ranks], Scaling.samplesPerSecond(ranks, 2 * seconds));
      }
    }
    double speedup = best[2] / best[1];
    System.out.printf(
        Locale.ROOT,
        "data parallel: %.0f samples/s on 1 rank, %.0f on 2: %.2f x, goal %.2f %s%n",
        best[1],
        best[2],
        speedup,
        SCALING,
        speedup >= SCALING ? "ok" : "missed");
  }

  private static double option(String[] args, String name, double otherwise) {
    int at = Arrays.asList(args).indexOf(name);
    return at < 0 ? otherwise : Double.parseDouble(args[at + 1]);
  }

  private static List<String> only(String[] args) {
    int at = Arrays.asList(args).indexOf("--only");
    return at < 0 ? List.of() : List.of(args[at + 1].split(","));
  }
}
