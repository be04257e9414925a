package dev.jcomms.jccl.internal.mail;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.util.Optional;

/** A part of a window at the other end of a pipe: the rank's mail does there what is asked. */
final class PipedPart implements RemotePart {
  private final int window;
  private final WindowRequests desk;

  PipedPart(int window, WindowRequests desk) {
    this.window = window;
    this.desk = desk;
  }

  @Override
  public void put(Job job, Tensor tensor, long offset) {
    desk.put(job, window, tensor, offset, null);
  }

  @Override
  public void get(Job job, Tensor tensor, long offset) {
    desk.get(job, window, tensor, offset);
  }

  @Override
  public void accumulate(Job job, Tensor tensor, long offset, ReduceOp op) {
    desk.put(job, window, tensor, offset, op);
  }

  @Override
  public void signal(Job job) {
    desk.note(job, Kind.SIGNAL, window);
  }

  @Override
  public void flush(Job job) {
    flush(job, () -> {});
  }

  /**
   * As {@link #flush(Job)}.
   *
   * @param then what is done once everything is in place: quickly, also if the job was given up
   */
  void flush(Job job, Runnable then) {
    desk.flush(job, window, then);
  }

  @Override
  public void fence() {
    desk.note(null, Kind.FENCE, window);
  }

  @Override
  public void end() {
    desk.note(null, Kind.DEREGISTER, window);
  }

  @Override
  public Optional<Tensor> memory() {
    return Optional.empty();
  }
}
