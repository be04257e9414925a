package dev.jcomms.jccl.internal.mail;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A part of a window in memory that this rank shares with its owner, in another process: read and
 * written directly; everything else goes by mail.
 *
 * <p>While something is on its way by mail, what comes after it goes by mail too, or it would
 * overtake. What was put is seen by who has got a later signal: a frame is published with release
 * and taken with acquire.
 */
final class SharedPart implements RemotePart {
  private final PipedPart mail;
  private final Tensor memory;

  /**
   * How many changes and reads were mailed, and how many of them are known to be done. Counted once
   * they are in the mail: who counts them and then flushes, flushes them.
   */
  private final AtomicLong mailed = new AtomicLong();

  private final AtomicLong settled = new AtomicLong();

  /** How many were mailed before the latest half of a fence, and before the one before it. */
  private volatile long beforeHalf;

  private volatile long beforeLastHalf;

  SharedPart(PipedPart mail, MemorySegment memory, DType dtype, long elements) {
    this.mail = mail;
    this.memory = Tensor.wrap(memory, dtype, Shape.of(elements));
  }

  @Override
  public void put(Job job, Tensor tensor, long offset) {
    if (!isSettled()) {
      mail.put(job, tensor, offset);
      mailed.incrementAndGet();
      return;
    }
    MemorySegment.copy(tensor.segment(), 0, memory.segment(), at(offset), tensor.bytes());
    Reference.reachabilityFence(tensor);
  }

  @Override
  public void get(Job job, Tensor tensor, long offset) {
    if (!isSettled()) {
      mail.get(job, tensor, offset);
      mailed.incrementAndGet();
      return;
    }
    MemorySegment.copy(memory.segment(), at(offset), tensor.segment(), 0, tensor.bytes());
    Reference.reachabilityFence(tensor);
  }

  private boolean isSettled() {
    return settled.get() == mailed.get();
  }

  /** So much of what was mailed is done. */
  private void settle(long changes) {
    settled.accumulateAndGet(changes, Math::max);
  }

  private long at(long offset) {
    return offset * memory.dtype().bytes();
  }

  /** By mail: the owner is the one who adds, so elements are atomic. */
  @Override
  public void accumulate(Job job, Tensor tensor, long offset, ReduceOp op) {
    mail.accumulate(job, tensor, offset, op);
    mailed.incrementAndGet();
  }

  @Override
  public void signal(Job job) {
    mail.signal(job);
  }

  @Override
  public void flush(Job job) {
    long changes = mailed.get();
    if (settled.get() < changes) {
      mail.flush(job, () -> settle(changes));
    } else {
      VarHandle.fullFence();
    }
  }

  @Override
  public void fence() {
    beforeLastHalf = beforeHalf;
    beforeHalf = mailed.get();
    mail.fence();
  }

  @Override
  public void end() {
    mail.end();
  }

  @Override
  public void fenced() {
    settle(beforeLastHalf);
  }

  @Override
  public Optional<Tensor> memory() {
    return Optional.of(memory);
  }
}
