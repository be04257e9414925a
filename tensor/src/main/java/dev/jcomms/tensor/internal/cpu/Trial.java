package dev.jcomms.tensor.internal.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/**
 * Where vector loops prove that they are faster than plain ones.
 *
 * <p>Vector code runs a thousand times slower than it should until the JVM's optimising compiler
 * has been at it, and where there is no such compiler, always. So plain loops do the work at first;
 * when one has done so much that speed matters, its vector twin is tried on memory of no interest,
 * in a thread of its own, until it wins or its time is up. Trials take turns: one that is
 * undecided, as where the compiler makes vectors of the plain loop itself, keeps nobody waiting.
 */
final class Trial {
  private static final int BEST_OF = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration TURN = Duration.ofMillis(20);
  private static final LinkedBlockingQueue<Trial> QUEUE = new LinkedBlockingQueue<>();
  private static boolean started;

  /**
   * How many elements a loop is tried on: some vectors and less than one. What a trial leaves out
   * the compiler leaves out, too, and the first call that comes there has it start anew.
   */
  static final int ODD = Scratch.BLOCK - 1;

  private final Supplier<Contest> maker;
  private Contest contest;
  private long spent;

  private Trial(Supplier<Contest> maker) {
    this.maker = maker;
  }

  /** A loop against another. */
  interface Contest {
    /** One round; whether the challenger has won. */
    boolean isWon();
  }

  /** Something to be timed, over blocks of a course. */
  interface Run {
    void over(long[] blocks);
  }

  /**
   * Has a trial held, in turn with others. The contest is made in the trials' thread, and is none,
   * null, where there is no challenger.
   */
  static void hold(Supplier<Contest> maker) {
    synchronized (QUEUE) {
      if (!started) {
        started = true;
        Thread.ofPlatform().daemon().name("jcomms-simd-trial").start(Trial::serve);
      }
    }
    QUEUE.add(new Trial(maker));
  }

  private static void serve() {
    while (true) {
      try {
        Trial trial = QUEUE.take();
        if (!trial.isOver()) {
          QUEUE.add(trial);
        }
      } catch (InterruptedException | RuntimeException | LinkageError e) {
        // plain loops go on doing the work
      }
    }
  }

  /** Takes a turn. */
  private boolean isOver() {
    if (contest == null) {
      contest = maker.get();
    }
    long start = System.nanoTime();
    long turn = 0;
    boolean won = contest == null;
    while (!won && turn < TURN.toNanos()) {
      won = contest.isWon();
      turn = System.nanoTime() - start;
    }
    spent += turn;
    return won || spent > PATIENCE.toNanos();
  }

  /**
   * Blocks of ones, which no function refuses; the first of floats is a million, for which sines
   * have a way of their own, which is not to be left out either.
   */
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
            case FLOAT -> Memory.put(at, i == 0 ? 1e6f : 1f);
            case DOUBLE -> Memory.put(at, i == 0 ? 1e6 : 1d);
            case INT -> Memory.put(at, 1);
            case LONG -> Memory.put(at, 1L);
          }
        }
      }
    }

    /** One against the other; {@code win} is run when the challenger has been faster. */
    Contest between(Run challenger, Run incumbent, Runnable win) {
      best(incumbent); // the compiler may still be at it
      return () -> {
        boolean won = best(challenger) < best(incumbent);
        if (won) {
          win.run();
        }
        return won;
      };
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
