package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The signals that one window's part has got from each rank: they count, and one is consumed by one
 * wait. Any thread.
 */
final class Signals {
  /** One wait for one signal. */
  private final class Wait implements Part {
    final Job job;
    final int src;
    volatile boolean done;

    Wait(Job job, int src) {
      this.job = job;
      this.src = src;
    }

    @Override
    public int peer() {
      return src;
    }

    @Override
    public Tensor tensor() {
      return null;
    }

    @Override
    public boolean writes() {
      return false;
    }

    @Override
    public boolean isDone() {
      return done;
    }

    @Override
    public String progress() {
      return "no signal of rank " + src;
    }

    @Override
    public void cancel() {
      synchronized (Signals.this) {
        waits.get(src).remove(this);
      }
    }
  }

  private final long[] counts;
  private final List<ArrayDeque<Wait>> waits = new ArrayList<>();

  Signals(int ranks) {
    this.counts = new long[ranks];
    for (int r = 0; r < ranks; r++) {
      waits.add(new ArrayDeque<>());
    }
  }

  /** Waits for a signal of a rank as a part of a job, the only one. */
  synchronized void await(Job job, int src) {
    Wait wait = new Wait(job, src);
    job.add(wait);
    if (counts[src] > 0) {
      counts[src]--;
      wait.done = true;
      job.partDone();
    } else {
      waits.get(src).add(wait);
    }
  }

  /** A signal has come; what is returned tells who waited for it. */
  synchronized Runnable raise(int src) {
    Wait wait;
    while ((wait = waits.get(src).poll()) != null) {
      boolean last = wait.job.partDone();
      if (wait.job.failure() == null) {
        wait.done = true;
        return last ? wait.job : () -> {};
      }
      // It was given up meanwhile: the signal is the next one's.
    }
    counts[src]++;
    return () -> {};
  }
}
