package dev.jcomms.tensor.internal.cpu;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Splits the work of one operator over threads.
 *
 * <p>How many: property {@code jcomms.threads}, else the environment's {@code JCOMMS_THREADS}, else
 * its {@code OMP_NUM_THREADS}, else one a core; the caller is one of them. The others are daemons,
 * started when first needed. What is split inside a part of a split runs where it is. Kernels split
 * so that results do not depend on the number of threads.
 */
public final class Parallel {
  /** Elements below which another thread costs more than it brings. */
  public static final long GRAIN = 32768;

  /** Something to be done with the indexes from {@code from} to, without, {@code to}. */
  public interface Range {
    void run(long from, long to);
  }

  private static volatile int threads = configured();
  private static final LinkedBlockingQueue<Runnable> QUEUE = new LinkedBlockingQueue<>();
  private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);
  private static int started;

  private Parallel() {}

  /** How many threads one operator may use. */
  public static int threads() {
    return threads;
  }

  /** Changes it for operators that start from now on. */
  public static void threads(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("threads=" + count + " must be at least 1");
    }
    threads = count;
  }

  /**
   * Runs all of 0 to {@code n}, in parts of at least {@code grain} indexes whose borders are
   * multiples of {@code grain}. Returns when all parts are done; throws what a part threw.
   */
  public static void run(long n, long grain, Range range) {
    long pieces = (n + grain - 1) / grain;
    int parts = (int) Math.min(pieces, threads);
    if (parts <= 1 || INSIDE.get()) {
      if (n > 0) {
        range.run(0, n);
      }
      return;
    }
    Split split = new Split(n, grain, pieces, parts, range);
    start(parts - 1);
    for (int helper = 1; helper < parts; helper++) {
      QUEUE.add(split::work);
    }
    split.work();
    split.await();
  }

  private static final class Split {
    private final long n;
    private final long grain;
    private final long pieces;
    private final int parts;
    private final Range range;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private int done;

    Split(long n, long grain, long pieces, int parts, Range range) {
      this.n = n;
      this.grain = grain;
      this.pieces = pieces;
      this.parts = parts;
      this.range = range;
    }

    /** Takes parts until none is left: a helper that comes late finds nothing to do. */
    void work() {
      INSIDE.set(true);
      try {
        for (int part = next.getAndIncrement(); part < parts; part = next.getAndIncrement()) {
          try {
            range.run(border(part), border(part + 1));
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
          }
          synchronized (this) {
            done++;
            notifyAll();
          }
        }
      } finally {
        INSIDE.set(false);
      }
    }

    private long border(int part) {
      return Math.min(n, pieces * part / parts * grain);
    }

    void await() {
      boolean interrupted = false;
      synchronized (this) {
        while (done < parts) {
          try {
            wait();
          } catch (InterruptedException e) {
            interrupted = true; // the memory is in use until all parts are done
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      switch (failure.get()) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case Throwable e -> throw new AssertionError(e);
      }
    }
  }

  private static void start(int helpers) {
    synchronized (QUEUE) {
      for (; started < helpers; started++) {
        Thread.ofPlatform().daemon().name("jcomms-cpu-" + (started + 1)).start(Parallel::serve);
      }
    }
  }

  private static void serve() {
    while (true) {
      try {
        QUEUE.take().run();
      } catch (InterruptedException e) {
        // nobody may stop a helper; the next task comes
      }
    }
  }

  private static int configured() {
    for (String text :
        new String[] {
          System.getProperty("jcomms.threads"),
          System.getenv("JCOMMS_THREADS"),
          System.getenv("OMP_NUM_THREADS")
        }) {
      if (text != null && text.strip().matches("[1-9][0-9]{0,5}")) {
        return Integer.parseInt(text.strip());
      }
    }
    return Runtime.getRuntime().availableProcessors();
  }
}
