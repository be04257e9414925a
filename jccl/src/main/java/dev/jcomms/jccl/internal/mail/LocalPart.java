package dev.jcomms.jccl.internal.mail;

import dev.jcomms.BackendException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.util.Optional;

/** A part of a window in the same JVM, also this rank's own: everything is done at once. */
final class LocalPart implements RemotePart {
  private final int rank;
  private final int owner;
  private final WindowPart part;

  /**
   * @param rank this one
   * @param owner whose part it is
   */
  LocalPart(int rank, int owner, WindowPart part) {
    this.rank = rank;
    this.owner = owner;
    this.part = part;
  }

  /** Does something with the part, unless its owner has taken it back. */
  private void use(Runnable action) {
    try {
      action.run();
    } catch (IllegalStateException e) {
      throw part.isClosed() ? new BackendException(WindowRequests.gone(owner), e) : e;
    }
  }

  @Override
  public void put(Job job, Tensor tensor, long offset) {
    use(() -> part.put(tensor, offset));
  }

  @Override
  public void get(Job job, Tensor tensor, long offset) {
    use(() -> part.get(tensor, offset));
  }

  @Override
  public void accumulate(Job job, Tensor tensor, long offset, ReduceOp op) {
    use(() -> part.accumulate(tensor.segment(), tensor.elements(), offset, op));
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
  public void end() {
    part.ended(rank).run();
  }

  @Override
  public Optional<Tensor> memory() {
    return Optional.of(part.tensor());
  }
}
