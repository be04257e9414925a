package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * What was asked of a peer and is answered: a get, whose bytes come in frames, or a flush, which
 * has none. Under the guard.
 */
final class Getting implements Part, Sink {
  private final Job job;
  private final WindowRequests desk;
  private final int peer;
  private final long id;
  private final long bytes;
  private final Runnable then;
  private volatile Tensor tensor;
  private volatile long received;
  private volatile boolean done;
  private volatile boolean dropped;
  private long frameBytes;

  /**
   * @param tensor null for a flush
   * @param then what is done first when all of the answer is there
   */
  Getting(Job job, WindowRequests desk, int peer, long id, Tensor tensor, Runnable then) {
    this.job = job;
    this.desk = desk;
    this.peer = peer;
    this.id = id;
    this.tensor = tensor;
    this.bytes = tensor == null ? 0 : tensor.bytes();
    this.then = then;
  }

  long id() {
    return id;
  }

  /** Takes the next frame of the answer. */
  Getting expect(Header header) {
    if (header.offset != received
        || header.payload > bytes - received
        || header.payload == 0 && bytes > 0) {
      throw new BadFrameException(
          "%s has bytes=%d at %d, where %d of %d have come"
              .formatted(header, header.payload, header.offset, received, bytes));
    }
    frameBytes = header.payload;
    return this;
  }

  @Override
  public MemorySegment memory() {
    Tensor to = tensor;
    return to == null ? null : to.segment();
  }

  @Override
  public long at() {
    return received;
  }

  @Override
  public void filled() {
    received += frameBytes;
    Reference.reachabilityFence(tensor);
    if (received == bytes) {
      done = true;
      then.run();
      desk.answered(this);
      if (!dropped) {
        tensor = null;
        desk.done(job);
      }
    }
  }

  @Override
  public void spoiled(RuntimeException e) {
    drop();
    desk.fail(job, e);
  }

  void fail(RuntimeException reason) {
    desk.fail(job, reason);
  }

  void drop() {
    dropped = true;
    tensor = null;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public Tensor tensor() {
    return tensor;
  }

  @Override
  public boolean writes() {
    return true;
  }

  @Override
  public boolean isDone() {
    return done;
  }

  @Override
  public String progress() {
    return bytes == 0
        ? "rank " + peer + " has not answered"
        : received + " of " + bytes + " bytes have come from rank " + peer;
  }

  @Override
  public void cancel() {
    desk.cancel(this);
  }
}
