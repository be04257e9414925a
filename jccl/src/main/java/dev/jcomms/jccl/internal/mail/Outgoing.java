package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A send to a peer at the other end of a pipe: a frame with everything if it is small, else an
 * offer and, once the peer has taken it, a stream. Under the guard, but for {@link #cancel}.
 */
final class Outgoing extends Source implements Part {
  private final Job job;
  private final SendDesk desk;
  private final int peer;
  private final int tag;
  private final DType dtype;
  private final long elements;
  private final long bytes;
  private volatile Tensor tensor;
  private volatile boolean done;
  private long sent;
  private boolean taken;
  private long id;
  private boolean eager;
  private int chunk;

  Outgoing(Job job, SendDesk desk, Tensor tensor, int peer, int tag) {
    this.job = job;
    this.desk = desk;
    this.tensor = tensor;
    this.peer = peer;
    this.tag = tag;
    this.dtype = tensor.dtype();
    this.elements = tensor.elements();
    this.bytes = tensor.bytes();
  }

  /**
   * Gives it its number.
   *
   * @param eager whether everything goes at once
   * @param chunk bytes of a frame otherwise: others are sent in between
   */
  void begin(long id, boolean eager, int chunk) {
    this.id = id;
    this.chunk = chunk;
    this.eager = eager;
  }

  /** The peer has a receive for it. */
  void take() {
    taken = true;
  }

  Job job() {
    return job;
  }

  long id() {
    return id;
  }

  long bytes() {
    return bytes;
  }

  @Override
  boolean next(Header header) {
    Tensor from = tensor;
    if (from == null) {
      return false;
    }
    header.id = id;
    if (taken) {
      header.kind = Kind.DATA;
      header.offset = sent;
      header.payload = (int) Math.min(chunk, bytes - sent);
    } else {
      header.kind = Kind.OFFER;
      header.tag = tag;
      header.dtype = (byte) dtype.ordinal();
      header.offset = eager ? 1 : 0;
      header.length = elements;
      header.payload = eager ? (int) bytes : 0;
    }
    return true;
  }

  @Override
  MemorySegment payload() {
    return tensor.segment();
  }

  @Override
  long payloadAt() {
    return sent;
  }

  @Override
  boolean written(Header header) {
    sent += header.payload;
    Reference.reachabilityFence(tensor);
    if (!eager && !taken || tensor == null) {
      return false;
    }
    if (sent < bytes) {
      return true;
    }
    finish();
    return false;
  }

  void finish() {
    done = true;
    tensor = null;
    desk.done(job);
  }

  @Override
  void spoiled(RuntimeException e) {
    desk.fail(job, e);
  }

  /** Lets go of the tensor. */
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
    return false;
  }

  @Override
  public boolean isDone() {
    return done;
  }

  @Override
  public String progress() {
    return "send of %d x %s to rank %d, tag %d: %s"
        .formatted(
            elements,
            dtype,
            peer,
            tag,
            taken || eager
                ? sent + " of " + bytes + " bytes are on their way"
                : "rank " + peer + " has no receive for it yet");
  }
}
