package dev.jcomms.jccl.internal.tune;

import dev.jcomms.jccl.internal.posix.Proc;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * Whether the JVM's compilers are done with what runs again and again. Where ranks outnumber cores
 * they get little time to themselves, and what is measured meanwhile is interpreted code.
 */
public final class Compiler {
  /** How often a rehearsal is repeated where they are not done earlier. */
  public static final int MOST_REHEARSALS = 8;

  /** At work for less than this part of the time, they are done with all that matters. */
  private static final double IDLE = 0.05;

  private final CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
  private long start = System.nanoTime();
  private long spent = nanos();

  /** The part of the time since the last call, or since this was made, that they were at work. */
  public double load() {
    long now = System.nanoTime();
    long total = nanos();
    double load = (double) Math.max(0, total - spent) / Math.max(1, now - start);
    start = now;
    spent = total;
    return load;
  }

  /** Whether that is nothing worth waiting for. */
  public static boolean isIdle(double load) {
    return load < IDLE;
  }

  /** Of the kernel, if it tells: the JVM's own book has only what they are done with. */
  private long nanos() {
    long run = Proc.nanosRun(name -> name.contains(" Compiler"));
    if (run >= 0) {
      return run;
    }
    boolean told = bean != null && bean.isCompilationTimeMonitoringSupported();
    return told ? bean.getTotalCompilationTime() * 1_000_000 : 0;
  }
}
