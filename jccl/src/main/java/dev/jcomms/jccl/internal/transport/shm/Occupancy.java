package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.tensor.internal.memory.Membarrier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether the thread that performs operations is on a floor, whose memory must not go meanwhile: it
 * reads and writes there by address.
 *
 * <p>It says that it enters and then looks whether it still may, with no fence between, which would
 * wait for all that it has written before. Whoever closes orders one for both: from then on either
 * the thread sees that, or it is seen to be inside.
 */
final class Occupancy {
  private static final boolean FENCED = Membarrier.takePart();
  private static final VarHandle INSIDE = insideField();
  private static final long NAP_NANOS = 1_000_000;

  /** Written by the thread that performs operations alone. */
  private boolean inside;

  private volatile boolean closed;

  private static VarHandle insideField() {
    try {
      return MethodHandles.lookup().findVarHandle(Occupancy.class, "inside", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The memory stays until it {@linkplain #leave leaves}.
   *
   * @throws IllegalStateException if it was closed, or somebody is inside
   */
  void enter() {
    if (inside) {
      throw new IllegalStateException("another operation of the communicator is under way");
    }
    INSIDE.setOpaque(this, true);
    if (!FENCED) {
      VarHandle.fullFence();
    }
    if (closed) {
      leave();
      throw new IllegalStateException("the communicator is closed");
    }
  }

  void leave() {
    INSIDE.setRelease(this, false);
  }

  /** Lets nobody in from now on, and waits so long until nobody is inside: whether that is so. */
  boolean close(long nanos) {
    closed = true;
    VarHandle.fullFence();
    Membarrier.fence();
    long start = System.nanoTime();
    // Once seen, it is so for good: who comes later goes again without touching anything.
    boolean empty = isEmpty();
    boolean interrupted = Thread.interrupted(); // it would have no naps
    while (!empty && System.nanoTime() - start < nanos) {
      LockSupport.parkNanos(NAP_NANOS);
      empty = isEmpty();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return empty;
  }

  private boolean isEmpty() {
    return !(boolean) INSIDE.getAcquire(this);
  }
}
