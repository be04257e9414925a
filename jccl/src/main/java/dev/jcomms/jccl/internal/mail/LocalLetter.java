package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** A send or a receive between two ranks of one JVM. Under its handover's lock. */
final class LocalLetter implements Part {
  private final Job job;
  private final Handover handover;
  private final boolean sends;
  private final int peer;
  private final int tag;
  private final DType dtype;
  private final long elements;
  private final MemorySegment memory;
  private volatile Tensor tensor;
  private volatile boolean done;

  LocalLetter(Job job, Handover handover, boolean sends, Tensor tensor, int peer, int tag) {
    this.job = job;
    this.handover = handover;
    this.sends = sends;
    this.tensor = tensor;
    this.memory = tensor.segment();
    this.peer = peer;
    this.tag = tag;
    this.dtype = tensor.dtype();
    this.elements = tensor.elements();
  }

  /** A copy of a send that waits in its place, and that nobody waits for. */
  private LocalLetter(LocalLetter send, MemorySegment copy) {
    this.job = null;
    this.handover = send.handover;
    this.sends = true;
    this.memory = copy;
    this.peer = send.peer;
    this.tag = send.tag;
    this.dtype = send.dtype;
    this.elements = send.elements;
  }

  LocalLetter kept() {
    MemorySegment copy = MemorySegment.ofArray(new byte[(int) memory.byteSize()]);
    copy.copyFrom(memory);
    Reference.reachabilityFence(tensor);
    return new LocalLetter(this, copy);
  }

  boolean isKept() {
    return job == null;
  }

  boolean sends() {
    return sends;
  }

  int tag() {
    return tag;
  }

  long bytes() {
    return memory.byteSize();
  }

  boolean agreesWith(LocalLetter other) {
    return dtype == other.dtype && elements == other.elements;
  }

  /** Writes what another one sends into its own tensor. */
  void take(LocalLetter send) {
    memory.copyFrom(send.memory);
    Reference.reachabilityFence(send.tensor);
    Reference.reachabilityFence(tensor);
  }

  /** {@code send of 10 x f32}. */
  String what() {
    return "%s of %d x %s".formatted(sends ? "send" : "recv", elements, dtype);
  }

  /** It is done; what is returned tells, without the lock. */
  Runnable done() {
    done = true;
    tensor = null;
    return job != null && job.partDone() ? job : () -> {};
  }

  /** It has failed. Without the lock. */
  void fail(RuntimeException reason) {
    if (job != null) {
      job.fail(reason);
    }
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
    return !sends;
  }

  @Override
  public boolean isDone() {
    return done;
  }

  @Override
  public String progress() {
    return "%s %s rank %d, tag %d: rank %d has not come to it"
        .formatted(what(), sends ? "to" : "from", peer, tag, peer);
  }

  @Override
  public void cancel() {
    handover.cancel(this);
  }
}
