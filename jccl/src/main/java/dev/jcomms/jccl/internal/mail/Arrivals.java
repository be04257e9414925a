package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommException;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** How often each rank has come to something, and who waits for it to come so often. Any thread. */
final class Arrivals {
  /** One wait for one rank. */
  private final class Wait implements Part {
    final Job job;
    final int src;
    final long count;
    final String what;
    final Runnable then;
    volatile boolean done;

    Wait(Job job, int src, long count, String what, Runnable then) {
      this.job = job;
      this.src = src;
      this.count = count;
      this.what = what;
      this.then = then;
    }

    /** What is to be done without the lock, now that it is done. */
    Runnable end() {
      done = true;
      return () -> {
        then.run();
        if (job.partDone()) {
          job.run();
        }
      };
    }

    Runnable inVain() {
      Supplier<CommException> reason = over.get(src);
      return () -> job.fail(reason.get());
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
      return "rank " + src + " has not come to the " + what;
    }

    @Override
    public void cancel() {
      synchronized (Arrivals.this) {
        waits.remove(this);
      }
    }
  }

  private final long[] counts;

  /** What those are told who wait for a rank that comes no more. */
  private final Map<Integer, Supplier<CommException>> over = new HashMap<>();

  private final List<Wait> waits = new ArrayList<>();

  Arrivals(int ranks) {
    this.counts = new long[ranks];
  }

  /**
   * Waits, as a part of a job, until a rank has come so often.
   *
   * @param then what is done when it has, without any lock, before the part is done
   */
  void await(Job job, int src, long count, String what, Runnable then) {
    Wait wait = new Wait(job, src, count, what, then);
    job.add(wait);
    Runnable news = () -> {};
    synchronized (this) {
      if (counts[src] >= count) {
        news = wait.end();
      } else if (over.containsKey(src)) {
        news = wait.inVain();
      } else {
        waits.add(wait);
      }
    }
    news.run();
  }

  /** A rank has come once more; what is returned tells who waited for it. */
  synchronized Runnable arrive(int src) {
    long count = ++counts[src];
    return take(src, wait -> count >= wait.count, Wait::end);
  }

  /**
   * A rank comes no more: who waits for it to come more often does so in vain, now and later. What
   * is returned tells those who wait now.
   */
  synchronized Runnable end(int src, Supplier<CommException> reason) {
    over.putIfAbsent(src, reason);
    return take(src, _ -> true, Wait::inVain);
  }

  /** Takes waits for a rank out, and tells each of them something. */
  private Runnable take(int src, Predicate<Wait> which, Function<Wait, Runnable> end) {
    List<Runnable> news = new ArrayList<>();
    for (Iterator<Wait> all = waits.iterator(); all.hasNext(); ) {
      Wait wait = all.next();
      if (wait.src == src && which.test(wait)) {
        all.remove();
        news.add(end.apply(wait));
      }
    }
    return () -> news.forEach(Runnable::run);
  }
}
