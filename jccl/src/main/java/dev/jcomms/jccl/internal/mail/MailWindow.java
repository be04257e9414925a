package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.spi.Promise;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A window over registered memory: this rank's part, and how it reaches the parts of the others.
 * Any thread.
 *
 * <p>A fence has two halves, in each of which every rank tells every other that it has come. When
 * all have come to the first, everything that was put here is in place and all gets are answered,
 * since a rank's requests are done in order; when all have come to the second, that is so
 * everywhere.
 */
final class MailWindow implements WindowBackend.RegisteredWindow {
  private final int rank;
  private final WindowPart mine;
  private final RemotePart[] parts;
  private final long[] elements;
  private final Jobs jobs;
  private final Alarm alarm;
  private final Duration patience;
  private final Object fenceOrder = new Object();
  private Work lastFence = Work.completed();
  private final Counters counters;
  private final Set<Work> underWay = ConcurrentHashMap.newKeySet();

  /** Fences that are done. */
  private final AtomicLong fences = new AtomicLong();

  private final Announcer announcer =
      new Announcer(() -> tellOthers(RemotePart::fence), () -> tellOthers(RemotePart::end));

  /**
   * @param rank this one
   * @param parts of all ranks, this one's too
   * @param elements of each
   * @param patience how long closing waits for the others
   * @param counters who knows the others, and takes this rank's part back
   */
  MailWindow(
      int rank,
      WindowPart mine,
      RemotePart[] parts,
      long[] elements,
      Jobs jobs,
      Alarm alarm,
      Duration patience,
      Counters counters) {
    this.rank = rank;
    this.mine = mine;
    this.parts = parts;
    this.elements = elements;
    this.jobs = jobs;
    this.alarm = alarm;
    this.patience = patience;
    this.counters = counters;
  }

  @Override
  public Work put(Tensor tensor, int dst, long offset, OpOptions options) {
    Mailroom.requireShared(tensor);
    return start(dst, job -> parts[dst].put(job, tensor, offset), options);
  }

  @Override
  public Work get(Tensor tensor, int src, long offset, OpOptions options) {
    Mailroom.requireShared(tensor);
    return start(src, job -> parts[src].get(job, tensor, offset), options);
  }

  @Override
  public Work accumulate(Tensor tensor, int dst, long offset, ReduceOp op, OpOptions options) {
    Mailroom.requireShared(tensor);
    return start(dst, job -> parts[dst].accumulate(job, tensor, offset, op), options);
  }

  @Override
  public Work signal(int dst, OpOptions options) {
    return start(dst, job -> parts[dst].signal(job), options);
  }

  @Override
  public Work awaitSignal(int src, OpOptions options) {
    return start(job -> mine.signals().await(job, src), options);
  }

  @Override
  public Work flush(int dst, OpOptions options) {
    return start(dst, job -> parts[dst].flush(job), options);
  }

  /** Fences follow each other: one begins when the one before it has ended. */
  @Override
  public Work fence(OpOptions options) {
    synchronized (fenceOrder) {
      if (lastFence instanceof Promise before && !before.isCompleted()) {
        Promise later = new Promise();
        later.start();
        begun(later);
        // On a thread of its own: this one may be the mail's, in the midst of its work.
        before.whenEnded(
            () -> Thread.ofVirtual().name("jccl-fence").start(() -> fenceLater(later, options)));
        lastFence = later;
      } else {
        lastFence = startFence(options);
      }
      return lastFence;
    }
  }

  private void fenceLater(Promise later, OpOptions options) {
    try {
      become(later, startFence(options));
    } catch (RuntimeException e) {
      later.fail(e); // the alarm was raised meanwhile
    }
  }

  /** Ends a promise as some work ends. */
  private static void become(Promise promise, Work work) {
    Runnable end =
        () ->
            work.failure()
                .ifPresentOrElse(failure -> promise.fail(failure), () -> promise.complete());
    if (work instanceof Promise other) {
      other.whenEnded(end);
    } else {
      work.onEnd(end);
    }
  }

  /** Begins what needs another rank: also where its memory is at hand, it has to be there. */
  private Work start(int peer, Consumer<Job> post, OpOptions options) {
    counters.look();
    return start(
        job -> {
          CommException left = peer == rank ? null : counters.of(peer).left();
          if (left == null) {
            post.accept(job);
          } else {
            job.fail(left);
          }
        },
        options);
  }

  private Work start(Consumer<Job> post, OpOptions options) {
    return start(post, options, _ -> {});
  }

  /** Ranks that disagree on what they come to are to know it, all of them. */
  private Work startFence(OpOptions options) {
    return start(
        this::fence,
        options,
        failure -> {
          if (failure instanceof CommMismatchException) {
            alarm.raise(failure);
          }
        });
  }

  private Work start(Consumer<Job> post, OpOptions options, Consumer<CommException> failed) {
    Work work = jobs.start(post, options.timeoutOr(patience), failed);
    if (!work.isCompleted() && work instanceof Promise promise) {
      begun(promise);
    }
    return work;
  }

  private void begun(Promise promise) {
    underWay.add(promise);
    promise.whenEnded(() -> underWay.remove(promise));
  }

  /** A fence that has failed is gone on with by the next one, so that ranks stay in step. */
  private void fence(Job job) {
    long halves = 2 * fences.get();
    AtomicInteger first = new AtomicInteger(parts.length - 1);
    AtomicInteger second = new AtomicInteger(parts.length - 1);
    Runnable firstHalf =
        () -> {
          if (first.decrementAndGet() == 0) {
            announcer.come(halves + 2);
          }
        };
    Runnable secondHalf =
        () -> {
          if (second.decrementAndGet() == 0) {
            for (RemotePart part : parts) {
              part.fenced();
            }
            fences.compareAndSet(halves / 2, halves / 2 + 1);
          }
        };
    for (int peer = 0; peer < parts.length; peer++) {
      if (peer != rank) {
        mine.fences().await(job, peer, halves + 1, "fence", firstHalf);
        mine.fences().await(job, peer, halves + 2, "second half of the fence", secondHalf);
      }
    }
    announcer.come(halves + 1);
  }

  private void tellOthers(Consumer<RemotePart> news) {
    for (int peer = 0; peer < parts.length; peer++) {
      if (peer != rank) {
        news.accept(parts[peer]);
      }
    }
  }

  /**
   * When all have come to the end, nobody asks anything of this rank's part any more, and what was
   * asked is done.
   */
  private void end(Job job) {
    for (int peer = 0; peer < parts.length; peer++) {
      if (peer != rank) {
        mine.ends().await(job, peer, 1, "deregistration of the window", () -> {});
      }
    }
    announcer.end();
  }

  @Override
  public Tensor mapRemote(int rank) {
    return parts[rank].memory().orElseThrow();
  }

  @Override
  public Window.Attributes attributes(int rank) {
    Window.Access access =
        parts[rank].memory().isPresent() ? Window.Access.UNIFIED : Window.Access.SEPARATE;
    return new Window.Attributes(access, elements[rank]);
  }

  /** Waits for what this rank has asked for, then for all ranks. */
  @Override
  public void close() {
    try {
      Deadline deadline = new Deadline(patience, alarm);
      for (Work work : underWay) {
        awaitEnd(work, deadline);
      }
      jobs.await(this::end, deadline, _ -> {});
    } catch (CommException e) {
      if (!jobs.isOver()) {
        throw e;
      }
      // Nobody will come any more.
    } finally {
      counters.release(mine);
    }
  }

  private static void awaitEnd(Work work, Deadline deadline) {
    try {
      work.await(Duration.ofNanos(Math.max(1, deadline.leftNanos())));
    } catch (CommException e) {
      // How it ended was told to who began it.
    }
  }
}
