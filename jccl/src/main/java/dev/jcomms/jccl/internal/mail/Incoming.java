package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A receive from a peer at the other end of a pipe; also where the bytes of its message go. Under
 * the guard, but for {@link #cancel}.
 */
final class Incoming implements Part, Sink {
  private final Job job;
  private final ReceiveDesk desk;
  private final int peer;
  private final int tag;
  private final DType dtype;
  private final long elements;
  private final long bytes;
  private volatile Tensor tensor;
  private volatile boolean done;
  private boolean matched;
  private long received;
  private long frameBytes;
  private long offer;

  Incoming(Job job, ReceiveDesk desk, Tensor tensor, int peer, int tag) {
    this.job = job;
    this.desk = desk;
    this.tensor = tensor;
    this.peer = peer;
    this.tag = tag;
    this.dtype = tensor.dtype();
    this.elements = tensor.elements();
    this.bytes = tensor.bytes();
  }

  Job job() {
    return job;
  }

  int tag() {
    return tag;
  }

  DType dtype() {
    return dtype;
  }

  long elements() {
    return elements;
  }

  long bytes() {
    return bytes;
  }

  /** Its message has come, or begins to come; with the number of the offer that was taken, or 0. */
  void match(long offer) {
    matched = true;
    this.offer = offer;
  }

  /** The number of the offer that was taken; 0 if the message came along with it. */
  long offer() {
    return offer;
  }

  /** Takes the next frame of its message. */
  Incoming expect(Header header) {
    if (header.offset != received || header.payload > bytes - received || header.payload == 0) {
      throw new BadFrameException(
          "%s has bytes=%d at %d, where %d of %d have come"
              .formatted(header, header.payload, header.offset, received, bytes));
    }
    frameBytes = header.payload;
    return this;
  }

  /** Takes its whole message from a buffer. */
  void fill(MemorySegment buffer) {
    try {
      MemorySegment.copy(buffer, 0, tensor.segment(), 0, bytes);
    } catch (IllegalStateException e) {
      spoiled(e);
      return;
    }
    frameBytes = bytes;
    filled();
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
      desk.filled(this);
      if (tensor != null) {
        tensor = null;
        desk.done(job);
      }
    }
  }

  @Override
  public void spoiled(RuntimeException e) {
    tensor = null;
    desk.fail(job, e);
  }

  void drop() {
    tensor = null;
  }

  @Override
  public void cancel() {
    desk.cancel(this);
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
    return "recv of %d x %s from rank %d, tag %d: %s"
        .formatted(
            elements,
            dtype,
            peer,
            tag,
            matched ? received + " of " + bytes + " bytes have come" : "nothing has come");
  }
}
