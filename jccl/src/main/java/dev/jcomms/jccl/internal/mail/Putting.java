package dev.jcomms.jccl.internal.mail;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** A put or an accumulate on its way to a peer, in frames. Under the guard. */
final class Putting extends Source implements Part {
  private static final ReduceOp.Standard[] OPS = ReduceOp.Standard.values();

  private final Job job;
  private final WindowRequests desk;
  private final int peer;
  private final int window;
  private final long at;
  private final ReduceOp op;
  private final long bytes;
  private volatile Tensor tensor;
  private volatile long sent;
  private volatile boolean done;

  /**
   * @param at where it goes, in bytes
   * @param op null for a put
   */
  Putting(Job job, WindowRequests desk, int peer, int window, Tensor tensor, long at, ReduceOp op) {
    this.job = job;
    this.desk = desk;
    this.peer = peer;
    this.window = window;
    this.tensor = tensor;
    this.at = at;
    this.op = op;
    this.bytes = tensor.bytes();
  }

  /** A reduce op as a byte. */
  static byte code(ReduceOp op) {
    return (byte) (op instanceof ReduceOp.Standard standard ? standard.ordinal() : OPS.length);
  }

  /** The reduce op of a byte, and a factor's bits. */
  static ReduceOp op(Header header) {
    if (header.redop < 0 || header.redop > OPS.length) {
      throw new BadFrameException(header + " has reduce op " + header.redop);
    }
    return header.redop == OPS.length
        ? ReduceOp.premulSum(Double.longBitsToDouble(header.length))
        : OPS[header.redop];
  }

  @Override
  boolean next(Header header) {
    if (tensor == null) {
      return false;
    }
    header.kind = op == null ? Kind.PUT : Kind.ACCUMULATE;
    header.tag = window;
    header.offset = at + sent;
    header.payload = (int) Math.min(desk.chunkBytes(), bytes - sent);
    if (op != null) {
      header.redop = code(op);
      header.length =
          op instanceof ReduceOp.PremulSum(double factor) ? Double.doubleToRawLongBits(factor) : 0;
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
    if (tensor == null) {
      return false;
    }
    if (sent < bytes) {
      return true;
    }
    done = true;
    tensor = null;
    desk.done(job);
    return false;
  }

  @Override
  void spoiled(RuntimeException e) {
    desk.fail(job, e);
  }

  void drop() {
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
    return false;
  }

  @Override
  public boolean isDone() {
    return done;
  }

  @Override
  public String progress() {
    return sent + " of " + bytes + " bytes are on their way to rank " + peer;
  }

  @Override
  public void cancel() {
    desk.cancel(this);
  }
}
