package dev.jcomms.benchmarks.bar;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * One thing that is measured on both sides.
 *
 * @param name the same in {@code torch_bar.py}
 * @param most how many times PyTorch's time it may take
 */
record Case(String name, double most, Runnable body) {
  /** Nanoseconds of one call, the middle of several samples of about the given time together. */
  double nanos(double seconds) {
    long calls = 1;
    double took = time(calls);
    while (took < seconds * 1e9 / 50) { // samples long enough for the clock
      calls *= 2;
      took = time(calls);
    }
    int samples = 15;
    double[] each = new double[samples];
    for (int i = 0; i < samples; i++) {
      each[i] = time(calls) / calls;
    }
    java.util.Arrays.sort(each);
    return each[samples / 2];
  }

  private double time(long calls) {
    long start = System.nanoTime();
    for (long i = 0; i < calls; i++) {
      body.run();
    }
    return System.nanoTime() - start;
  }

  /** Runs for so long, and then until the compiler has come to rest, or for a minute. */
  void warmUp(double seconds) {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    long start = System.nanoTime();
    long busy;
    do {
      long before = compiler.getTotalCompilationTime();
      long end = System.nanoTime() + 1_000_000_000L;
      while (System.nanoTime() < end) {
        body.run();
      }
      busy = compiler.getTotalCompilationTime() - before;
    } while (System.nanoTime() - start < seconds * 1e9
        || busy > 20 && System.nanoTime() - start < 60e9);
  }
}
