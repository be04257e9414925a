package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommMismatchException;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * This rank's part of a window, as other ranks use it: those of this JVM on their own threads, all
 * others through the rank's mail. Any thread.
 *
 * <p>Nobody touches the memory once it was closed.
 */
final class WindowPart {
  private final int rank;
  private final int number;
  private final Tensor tensor;
  private final Signals signals;
  private final Arrivals fences;
  private final Arrivals ends;

  /** Shared by who copies, exclusive for who closes. */
  private final ReentrantReadWriteLock open = new ReentrantReadWriteLock();

  private volatile boolean closed;

  /** Held while accumulating: one at a time, so each element is atomic. */
  private final Terms terms = new Terms();

  /**
   * @param rank whose part it is
   */
  WindowPart(int rank, int number, Tensor tensor, int ranks) {
    this.rank = rank;
    this.number = number;
    this.tensor = tensor.flatten();
    this.signals = new Signals(ranks);
    this.fences = new Arrivals(ranks);
    this.ends = new Arrivals(ranks);
  }

  int number() {
    return number;
  }

  DType dtype() {
    return tensor.dtype();
  }

  long elements() {
    return tensor.elements();
  }

  long bytes() {
    return tensor.bytes();
  }

  Tensor tensor() {
    return tensor;
  }

  Signals signals() {
    return signals;
  }

  /** Who has come to which half of which fence. */
  Arrivals fences() {
    return fences;
  }

  /** Who has deregistered the window. */
  Arrivals ends() {
    return ends;
  }

  /** A rank has deregistered the window; what is returned tells who waited for it. */
  Runnable ended(int src) {
    Runnable inVain = fences.end(src, () -> fencesAlone(src));
    Runnable met = ends.arrive(src);
    return () -> {
      inVain.run();
      met.run();
    };
  }

  private CommMismatchException fencesAlone(int src) {
    return new CommMismatchException(
        "rank %d has window fence, rank %d has window deregister".formatted(rank, src),
        Set.of(src));
  }

  boolean isClosed() {
    return closed;
  }

  /** Writes a tensor at an offset in elements. */
  void put(Tensor from, long offset) {
    enter();
    try {
      MemorySegment.copy(from.segment(), 0, tensor.segment(), at(offset), from.bytes());
    } finally {
      leave(from);
    }
  }

  /** Reads at an offset in elements into a tensor. */
  void get(Tensor into, long offset) {
    enter();
    try {
      MemorySegment.copy(tensor.segment(), at(offset), into.segment(), 0, into.bytes());
    } finally {
      leave(into);
    }
  }

  /** Combines elements at an offset with others. */
  void accumulate(MemorySegment from, long elements, long offset, ReduceOp op) {
    enter();
    try {
      synchronized (terms) {
        double factor = op instanceof ReduceOp.PremulSum(double f) ? f : 1;
        terms.clear().add(tensor.segment(), at(offset)).add(from, 0, factor);
        Reducers.of(dtype(), op).reduce(tensor.segment(), at(offset), terms, elements, 1);
        terms.clear();
      }
    } finally {
      leave(tensor);
    }
  }

  private long at(long offset) {
    return offset * dtype().bytes();
  }

  private void enter() {
    open.readLock().lock();
    if (closed) {
      open.readLock().unlock();
      throw new IllegalStateException("window " + number + " was deregistered at its target");
    }
  }

  private void leave(Tensor used) {
    open.readLock().unlock();
    Reference.reachabilityFence(used);
    Reference.reachabilityFence(tensor);
  }

  /** Takes the memory back. Under the guard, so that the mail leaves it alone too. */
  void close() {
    open.writeLock().lock();
    closed = true;
    open.writeLock().unlock();
  }
}
