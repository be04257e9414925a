package dev.jcomms.cli.bench.measure;

import dev.jcomms.jccl.internal.tune.Compiler;
import java.util.function.DoubleSupplier;

/**
 * Times a workload that all ranks run together: warms up, chooses how often to run it, runs one
 * batch for the average and samples for the rest. Used by one thread.
 *
 * <p>Times are those of the slowest rank, so every rank decides the same next step.
 */
final class Meter {
  private final Together together;
  private final Pace pace;
  private final DoubleSupplier compiling;
  private final long[] nanos = new long[Pace.MOST_SAMPLES];

  /**
   * @param time of one iteration
   * @param iterations in the batch
   * @param group iterations in one sample
   */
  record Reading(Timing time, int iterations, int group) {}

  Meter(Together together, Pace pace) {
    this(together, pace, new Compiler()::load);
  }

  /**
   * @param compiling says what part of the time since its last call the compiler was at work
   */
  Meter(Together together, Pace pace, DoubleSupplier compiling) {
    this.together = together;
    this.pace = pace;
    this.compiling = compiling;
  }

  /**
   * Runs something small so often that the compiler is done with what all sizes have in common.
   * Large ones alone would take many seconds to be called as often.
   */
  void familiarize(Batch small) {
    int iterations = 1;
    double spent = 0;
    for (int calls = 0; calls < Pace.FAMILIAR_CALLS && spent < Pace.FAMILIAR_MOST_MICROS; ) {
      double each = slowest(small, iterations);
      calls += iterations;
      spent += each * iterations;
      iterations = next(iterations, each, Pace.BATCH_MICROS);
    }
  }

  /**
   * Runs a workload for a while before anything is measured.
   *
   * @param first whether nothing like it has run before in this process
   */
  void rehearse(Batch workload, boolean first) {
    if (first) {
      warm(workload, Pace.FIRST_LEAST_MICROS, Pace.FIRST_MOST_MICROS);
    } else {
      warm(workload, Pace.LEAST_MICROS, Pace.MOST_MICROS);
    }
  }

  /** Measures, and again while the compiler was at work: it takes cores from all ranks. */
  Reading read(Workload workload) {
    for (int i = 1; ; i++) {
      double each = warm(workload, Pace.AGAIN_LEAST_MICROS, Pace.MOST_MICROS);
      compiling.getAsDouble(); // from here on
      Reading reading = take(workload, each);
      boolean steady = Compiler.isIdle(together.most(compiling.getAsDouble())[0]);
      if (steady || i == Pace.MOST_TAKES || pace.warmup() != Pace.ADAPTIVE) return reading;
    }
  }

  private Reading take(Workload workload, double each) {
    int iterations = pace.batch(each);
    double average = slowest(workload, iterations);
    int group = pace.group(average);
    int samples = pace.samples(average, group);
    // Not only the operation, also the loop around it is to be compiled.
    workload.samples(nanos, Math.min(samples, 100), group);
    together.meet();
    workload.samples(nanos, samples, group);
    Timing mine = Timing.of(average, nanos, samples, group);
    double[] most = together.most(mine.avg(), mine.min(), mine.p50(), mine.p99());
    return new Reading(new Timing(most[0], most[1], most[2], most[3]), iterations, group);
  }

  /** The best average of a few batches: a limit is what the machine can do when it is let. */
  double best(Batch workload) {
    if (pace.iterations() != Pace.ADAPTIVE) {
      slowest(workload, 1);
      return slowest(workload, pace.iterations());
    }
    double each = warm(workload, Pace.LIMIT_LEAST_MICROS, Pace.LIMIT_MOST_MICROS);
    int iterations = (int) Math.clamp(Pace.LIMIT_MICROS / each, 1, Pace.MOST_ITERATIONS);
    double best = each;
    for (int i = 0; i < Pace.LIMIT_BATCHES; i++) {
      best = Math.min(best, slowest(workload, iterations));
    }
    return best;
  }

  /**
   * Runs batches until two in a row agree and {@code least} has passed, or {@code most} has;
   * returns how long an iteration takes at best. A batch that something else disturbed must neither
   * end this nor make the next one short; nor may it take forever where all are disturbed.
   */
  private double warm(Batch workload, double least, double most) {
    if (pace.warmup() != Pace.ADAPTIVE) {
      // One at least: how often to measure depends on how long it takes.
      return slowest(workload, Math.max(1, pace.warmup()));
    }
    int iterations = 1;
    double spent = 0;
    double before = 0; // which nothing agrees with
    double best = Double.POSITIVE_INFINITY;
    while (true) {
      double each = slowest(workload, iterations);
      spent += Math.min(each * iterations, Pace.BATCH_MOST_MICROS);
      boolean whole =
          each * iterations >= Pace.BATCH_MICROS / 2 || iterations == Pace.MOST_ITERATIONS;
      boolean agree = Math.abs(each - before) <= Pace.AGREEMENT * before;
      if (whole) best = Math.min(best, each);
      if (spent >= most || (whole && agree && spent >= least)) {
        return Math.clamp(best, each / 10, each);
      }
      before = whole ? each : 0;
      if (!whole) iterations = next(iterations, each, Pace.BATCH_MICROS);
    }
  }

  /** More iterations, to come near a time without going far beyond. */
  private static int next(int iterations, double each, double micros) {
    double wanted = Math.min(micros / each, 10.0 * iterations);
    return (int) Math.min(Math.max(wanted, iterations + 1), Pace.MOST_ITERATIONS);
  }

  /** Microseconds of one iteration, on the slowest rank. */
  private double slowest(Batch workload, int iterations) {
    together.meet();
    double mine = workload.batch(iterations) / 1e3 / iterations;
    return Math.max(together.most(mine)[0], 1e-3);
  }
}
