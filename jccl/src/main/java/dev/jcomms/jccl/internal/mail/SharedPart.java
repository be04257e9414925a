package dev.jcomms.jccl.internal.mail;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;

/**
 * A part of a window in memory that this rank shares with its owner, in another process: read and
 * written directly; everything else goes by mail.
 *
 * <p>What was put is seen by who has got a later signal: a frame is published with release and
 * taken with acquire.
 */
final class SharedPart implements RemotePart {
  private final RemotePart mail;
  private final Tensor memory;

  /** Whether something has gone by mail that nobody has flushed. */
  private volatile boolean mailed;

  SharedPart(RemotePart mail, MemorySegment memory, DType dtype, long elements) {
    this.mail = mail;
    this.memory = Tensor.wrap(memory, dtype, Shape.of(elements));
  }

  @Override
  public void put(Job job, Tensor tensor, long offset) {
    MemorySegment.copy(tensor.segment(), 0, memory.segment(), at(offset), tensor.bytes());
    Reference.reachabilityFence(tensor);
  }

  @Override
  public void get(Job job, Tensor tensor, long offset) {
    MemorySegment.copy(memory.segment(), at(offset), tensor.segment(), 0, tensor.bytes());
    Reference.reachabilityFence(tensor);
  }

  private long at(long offset) {
    return offset * memory.dtype().bytes();
  }

  /** By mail: the owner is the one who adds, so elements are atomic. */
  @Override
  public void accumulate(Job job, Tensor tensor, long offset, ReduceOp op) {
    mailed = true;
    mail.accumulate(job, tensor, offset, op);
  }

  @Override
  public void signal(Job job) {
    mail.signal(job);
  }

  @Override
  public void flush(Job job) {
    if (mailed) {
      mailed = false;
      mail.flush(job);
    } else {
      java.lang.invoke.VarHandle.fullFence();
    }
  }

  @Override
  public void fence() {
    mail.fence();
  }

  @Override
  public Optional<Tensor> memory() {
    return Optional.of(memory);
  }
}
