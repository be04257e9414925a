package dev.jcomms.tensor.internal.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Where vector loops prove that they are faster than plain ones.
 *
 * <p>Vector code runs a thousand times slower than it should until the JVM's optimising compiler
 * has been at it, and where there is no such compiler, always. So plain loops do the work at first;
 * when one has done so much that speed matters, its vector twin is tried on memory of no interest,
 * in a thread of its own, until it wins or its time is up.
 */
final class Trial {
  private static final int BEST_OF = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final LinkedBlockingQueue<Runnable> QUEUE = new LinkedBlockingQueue<>();
  private static boolean started;

  private Trial() {}

  /** Something to be timed, over blocks of a course. */
  interface Run {
    void over(long[] blocks);
  }

  /** Has a trial held, after those that were asked for earlier. */
  static void hold(Runnable trial) {
    synchronized (QUEUE) {
      if (!started) {
        started = true;
        Thread.ofPlatform().daemon().name("jcomms-simd-trial").start(Trial::serve);
      }
    }
    QUEUE.add(trial);
  }

  private static void serve() {
    while (true) {
      try {
        QUEUE.take().run();
      } catch (InterruptedException | RuntimeException | LinkageError e) {
        // plain loops go on doing the work
      }
    }
  }

  /** Blocks full of ones, which no function refuses. */
  static final class Course {
    private final MemorySegment memory;
    private final long[] blocks;

    Course(int count, Carrier carrier) {
      long bytes = (long) Scratch.BLOCK * 8;
      memory = Arena.ofAuto().allocate(count * bytes, 64);
      blocks = new long[count];
      for (int k = 0; k < count; k++) {
        blocks[k] = memory.address() + k * bytes;
        for (int i = 0; i < Scratch.BLOCK; i++) {
          long at = blocks[k] + (long) i * carrier.bytes;
          switch (carrier) {
            case FLOAT -> Memory.put(at, 1f);
            case DOUBLE -> Memory.put(at, 1d);
            case INT -> Memory.put(at, 1);
            case LONG -> Memory.put(at, 1L);
          }
        }
      }
    }

    boolean wins(Run challenger, Run incumbent) {
      best(incumbent); // the compiler may still be at it
      long toBeat = best(incumbent);
      long start = System.nanoTime();
      while (System.nanoTime() - start < PATIENCE.toNanos()) {
        if (best(challenger) < toBeat) {
          return true;
        }
        toBeat = Math.min(toBeat, best(incumbent));
      }
      return false;
    }

    private long best(Run run) {
      long best = Long.MAX_VALUE;
      for (int i = 0; i < BEST_OF; i++) {
        long start = System.nanoTime();
        run.over(blocks);
        best = Math.min(best, System.nanoTime() - start);
      }
      return best;
    }
  }
}
