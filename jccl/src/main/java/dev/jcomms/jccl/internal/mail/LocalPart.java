package dev.jcomms.jccl.internal.mail;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.util.Optional;

/** A part of a window in the same JVM, also this rank's own: everything is done at once. */
final class LocalPart implements RemotePart {
  private final int rank;
  private final WindowPart part;

  LocalPart(int rank, WindowPart part) {
    this.rank = rank;
    this.part = part;
  }

  @Override
  public void put(Job job, Tensor tensor, long offset) {
    part.put(tensor, offset);
  }

  @Override
  public void get(Job job, Tensor tensor, long offset) {
    part.get(tensor, offset);
  }

  @Override
  public void accumulate(Job job, Tensor tensor, long offset, ReduceOp op) {
    part.accumulate(tensor.segment(), tensor.elements(), offset, op);
  }

  @Override
  public void signal(Job job) {
    part.signals().raise(rank).run();
  }

  @Override
  public void flush(Job job) {
    // Everything is in place already.
  }

  @Override
  public void fence() {
    part.fences().arrive(rank).run();
  }

  @Override
  public Optional<Tensor> memory() {
    return Optional.of(part.tensor());
  }
}
