package dev.jcomms.jccl.internal.mail;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Uses;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The jobs of a mailroom that have not ended: whom failures reach, whose deadlines are kept, and
 * what later operations on the same tensors wait for. Any thread, outside the guard.
 */
final class Pending {
  /** More than so many are looked up by what they use. */
  private static final int FEW = 32;

  private final Map<Job, CompletableFuture<Void>> few = new ConcurrentHashMap<>();

  /** Those that came when there were few already. */
  private final Map<Job, CompletableFuture<Void>> more = new ConcurrentHashMap<>();

  private final Footprints footprints = new Footprints();

  /** How many there are; every operation asks whether there are any. */
  private final AtomicInteger jobs = new AtomicInteger();

  boolean isEmpty() {
    return jobs.get() == 0;
  }

  private Stream<Job> jobs() {
    return Stream.concat(few.keySet().stream(), more.keySet().stream());
  }

  /** Adds a job whose own thread keeps its deadline. */
  void add(Job job) {
    add(job, new CompletableFuture<>());
  }

  /** Adds a job that fails when so much time has passed. */
  void add(Job job, Duration timeout) {
    CompletableFuture<Void> ended =
        new CompletableFuture<Void>().orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
    ended.whenComplete(
        (_, late) -> {
          if (late instanceof TimeoutException) {
            // The JVM has one thread for all its timers: what follows must not hold it up.
            Thread.ofVirtual().name("jccl-deadline").start(() -> expire(job, timeout));
          }
        });
    add(job, ended);
  }

  private void add(Job job, CompletableFuture<Void> ended) {
    jobs.incrementAndGet();
    if (few.size() < FEW) {
      few.put(job, ended);
    } else {
      more.put(job, ended);
      footprints.add(job);
    }
    if (job.isOver()) {
      remove(job); // it ended before it was here to be removed
    }
  }

  private static void expire(Job job, Duration timeout) {
    job.fail(new CommTimeoutException(timeout, job.text(), job.missing()));
  }

  void remove(Job job) {
    CompletableFuture<Void> ended = few.remove(job);
    if (ended == null) {
      ended = more.remove(job);
      footprints.remove(job);
    }
    if (ended != null) {
      jobs.decrementAndGet();
      ended.complete(null);
    }
  }

  /** Fails everything. */
  void failAll(CommException reason) {
    jobs().forEach(job -> job.fail(reason));
  }

  /** Whether anything still needs a peer. */
  boolean needs(int peer) {
    return jobs().anyMatch(job -> job.missing().contains(peer));
  }

  /** Fails what still needs a peer. */
  void fail(int peer, CommException reason) {
    jobs().filter(job -> job.missing().contains(peer)).forEach(job -> job.fail(reason));
  }

  /**
   * Waits for what was called before and writes what an operation of this rank uses, or reads what
   * it writes, so that operations take effect in call order.
   *
   * @throws CommException as the deadline says
   */
  void settle(Collective op, int rank, Deadline deadline) {
    if (isEmpty()) {
      return;
    }
    Uses uses = Uses.of(op, rank);
    for (Job job : few.keySet()) {
      while (!job.isOver() && conflicts(job, uses)) {
        await(job, deadline);
      }
    }
    if (!more.isEmpty()) {
      settle(uses.writes(), false, deadline);
      settle(uses.reads(), true, deadline);
    }
  }

  /** Waits for those of the many that overlap tensors, or write where these are. */
  private void settle(List<Tensor> tensors, boolean writers, Deadline deadline) {
    for (Tensor tensor : tensors) {
      Job job;
      while ((job = footprints.overlapping(tensor, writers)) != null) {
        await(job, deadline);
      }
    }
  }

  private static void await(Job job, Deadline deadline) {
    deadline.check(new Earlier(job));
    job.awaitEnd(Math.min(RingDesk.SLICE_NANOS, deadline.leftNanos()));
  }

  private static boolean conflicts(Job job, Uses uses) {
    for (Part part : job.parts()) {
      Tensor tensor = part.tensor();
      if (tensor != null
          && (overlaps(tensor, uses.writes()) || part.writes() && overlaps(tensor, uses.reads()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean overlaps(Tensor tensor, List<Tensor> others) {
    for (Tensor other : others) {
      if (tensor.segment().asOverlappingSlice(other.segment()).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** What an operation waits for that has to come after another. */
  private record Earlier(Job job) implements Deadline.Progress {
    @Override
    public Set<Integer> missing() {
      return job.missing();
    }

    @Override
    public String text() {
      return "it comes after a " + job.text();
    }
  }
}
