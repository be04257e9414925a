package dev.jcomms.cli.bench.measure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long to measure. The peers' programs keep the same rules; see their sources.
 *
 * @param warmup iterations before measuring; {@link #ADAPTIVE} warms up until it pays no more
 * @param iterations to measure; {@link #ADAPTIVE} takes as many as fit {@code time}
 * @param time for one form of one size
 */
public record Pace(int warmup, int iterations, Duration time) {
  public static final int ADAPTIVE = -1;

  /** A batch that a clock, a scheduler and a collector disturb little. */
  static final double BATCH_MICROS = 20_000;

  /**
   * What one batch counts for at most in warming up: a core that stood still has warmed nothing.
   */
  static final double BATCH_MOST_MICROS = 100_000;

  /** Two batches in a row that differ by less are taken for the steady state. */
  static final double AGREEMENT = 0.05;

  /** So often called, a method has been compiled as well as it will be. */
  static final int FAMILIAR_CALLS = 20_000;

  static final double FAMILIAR_MOST_MICROS = 2_000_000;

  /** Another size may take another way through the code, which the compiler has not seen. */
  static final double LEAST_MICROS = 150_000;

  static final double MOST_MICROS = 1_000_000;

  /** When its turn comes after the rehearsal, only caches are cold. */
  static final double AGAIN_LEAST_MICROS = 50_000;

  /** The first size waits for the compiler to do all of it. */
  static final double FIRST_LEAST_MICROS = 1_000_000;

  static final double FIRST_MOST_MICROS = 5_000_000;

  /** So often a size is measured before it counts whatever the compiler does meanwhile. */
  static final int MOST_TAKES = 4;

  /** A limit has simple loops, and only the best average is wanted. */
  static final double LIMIT_MICROS = 10_000;

  static final int LIMIT_BATCHES = 5;
  static final double LIMIT_LEAST_MICROS = 50_000;
  static final double LIMIT_MOST_MICROS = 200_000;

  static final int LEAST_ITERATIONS = 5;
  static final int MOST_ITERATIONS = 1_000_000;
  static final int MOST_SAMPLES = 10_000;

  /** A sample takes at least so long: the clock's own cost, some 30 ns, must not show. */
  static final double SAMPLE_MICROS = 5;

  /** The part of the time that goes to the batch; the rest goes to samples. */
  static final double BATCH_PART = 0.6;

  /** The rules as the peers' programs take them. */
  public Map<String, Number> rules() {
    Map<String, Number> rules = new LinkedHashMap<>();
    rules.put("warmup", warmup);
    rules.put("iterations", iterations);
    rules.put("time_us", time.toNanos() / 1e3);
    rules.put("batch_us", BATCH_MICROS);
    rules.put("batch_most_us", BATCH_MOST_MICROS);
    rules.put("agreement", AGREEMENT);
    rules.put("least_us", LEAST_MICROS);
    rules.put("first_least_us", FIRST_LEAST_MICROS);
    rules.put("first_most_us", FIRST_MOST_MICROS);
    rules.put("most_us", MOST_MICROS);
    rules.put("least_iterations", LEAST_ITERATIONS);
    rules.put("most_iterations", MOST_ITERATIONS);
    rules.put("most_samples", MOST_SAMPLES);
    rules.put("sample_us", SAMPLE_MICROS);
    rules.put("batch_part", BATCH_PART);
    return rules;
  }

  /** How many iterations the batch has, if one takes so long. */
  int batch(double each) {
    if (iterations != ADAPTIVE) return iterations;
    return fit(time.toNanos() / 1e3 * BATCH_PART, each, MOST_ITERATIONS);
  }

  /** How many iterations one sample has. */
  int group(double each) {
    return (int) Math.clamp(Math.ceil(SAMPLE_MICROS / each), 1, MOST_ITERATIONS);
  }

  /** How many samples of {@code group} iterations there are. */
  int samples(double each, int group) {
    if (iterations != ADAPTIVE) return Math.clamp(iterations / group, 1, MOST_SAMPLES);
    return fit(time.toNanos() / 1e3 * (1 - BATCH_PART), each * group, MOST_SAMPLES);
  }

  private static int fit(double micros, double each, int most) {
    return (int) Math.clamp(micros / each, LEAST_ITERATIONS, most);
  }
}
