package dev.jcomms.jccl.reliability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * What ranks promise to notice in time, they notice while they run. A virtual machine's host may
 * take its cores away, and the kernel counts for how long: a test that fails where most of the time
 * that processes wanted was stolen for seconds has shown nothing, and is aborted instead.
 */
final class StolenTime implements BeforeEachCallback, TestExecutionExceptionHandler {
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final long WINDOW_NANOS = Duration.ofSeconds(2).toNanos();
  private static final double MOST = 0.5;

  /** A second, in ticks: of the little that waiting processes want, much is soon stolen. */
  private static final long LEAST_TICKS = 100;

  private static final int KEPT = 8000; // half an hour

  private static final Deque<Sample> SAMPLES = new ArrayDeque<>();

  static {
    Thread.ofPlatform().daemon().name("stolen-time").start(StolenTime::watch);
  }

  /**
   * What the kernel has counted since it was started, in ticks of all cores.
   *
   * @param ran time that processes and interrupts had
   * @param stolen time that they wanted and the host gave to others
   */
  record Sample(long nanos, long ran, long stolen) {
    /** Of a line of {@code /proc/stat}; kernels without hosts may not count what is stolen. */
    static Sample of(long nanos, String line) {
      String[] ticks = line.trim().split(" +");
      long ran = 0;
      for (int i : new int[] {1, 2, 3, 6, 7}) { // user, nice, system, two kinds of interrupts
        ran += ticks.length > i ? Long.parseLong(ticks[i]) : 0;
      }
      return new Sample(nanos, ran, ticks.length > 8 ? Long.parseLong(ticks[8]) : 0);
    }
  }

  /** The largest part of the time wanted that was stolen, over some seconds. */
  static double worst(List<Sample> samples) {
    double worst = 0;
    int from = 0;
    for (Sample to : samples) {
      while (from + 1 < samples.size()
          && to.nanos() - samples.get(from + 1).nanos() >= WINDOW_NANOS) {
        from++;
      }
      Sample start = samples.get(from);
      long stolen = to.stolen() - start.stolen();
      if (to.nanos() - start.nanos() >= WINDOW_NANOS && stolen >= LEAST_TICKS) {
        worst = Math.max(worst, (double) stolen / (stolen + to.ran() - start.ran()));
      }
    }
    return worst;
  }

  private static void watch() {
    try {
      while (true) {
        sample();
        Thread.sleep(INTERVAL);
      }
    } catch (IOException | InterruptedException e) {
      // no such kernel: nothing is known to be stolen
    }
  }

  private static void sample() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/stat"))) {
      Sample sample = Sample.of(System.nanoTime(), lines.findFirst().orElseThrow());
      synchronized (SAMPLES) {
        SAMPLES.add(sample);
        if (SAMPLES.size() > KEPT) {
          SAMPLES.remove();
        }
      }
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    store(context).put("start", System.nanoTime());
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    try {
      sample(); // who samples may have been starved, too
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    long start = store(context).get("start", Long.class);
    List<Sample> since;
    synchronized (SAMPLES) {
      since = new ArrayList<>(SAMPLES);
    }
    since.removeIf(sample -> sample.nanos() < start - WINDOW_NANOS);
    double worst = worst(since);
    if (worst > MOST && !(failure instanceof TestAbortedException)) {
      throw new TestAbortedException(
          "%.0f %% of the time was stolen from this machine for a while: %s"
              .formatted(100 * worst, failure.getMessage()),
          failure);
    }
    throw failure;
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(
        ExtensionContext.Namespace.create(StolenTime.class, context.getUniqueId()));
  }
}
