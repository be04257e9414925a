package dev.jcomms.spi;

import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.tensor.Tensor;

/**
 * A backend with one-sided windows. Core checks state, ranks, bounds and dtypes before it calls.
 */
public interface WindowBackend extends Backend {

  /**
   * The operations of a window over registered memory. Any thread.
   *
   * <p>None waits for another rank: what takes as long as that goes on in the {@link Work} that is
   * returned, until the deadline of the options. Fences of one window, and its closing, are called
   * in one order on all ranks and have to keep it.
   */
  interface RegisteredWindow extends AutoCloseable {
    /** As {@link Window#putAsync}. */
    Work put(Tensor tensor, int dst, long offsetElements, OpOptions options);

    /** As {@link Window#getAsync}. */
    Work get(Tensor tensor, int src, long offsetElements, OpOptions options);

    /** As {@link Window#accumulateAsync}. */
    Work accumulate(Tensor tensor, int dst, long offsetElements, ReduceOp op, OpOptions options);

    /** As {@link Window#signalAsync}. */
    Work signal(int dst, OpOptions options);

    /** As {@link Window#awaitSignalAsync}. */
    Work awaitSignal(int src, OpOptions options);

    /** As {@link Window#flushAsync}. */
    Work flush(int dst, OpOptions options);

    /** As {@link Window#fenceAsync}. */
    Work fence(OpOptions options);

    /** As {@link Window#mapRemote}; called only for ranks whose access is {@code UNIFIED}. */
    Tensor mapRemote(int rank);

    /** As {@link Window#attributes}. */
    Window.Attributes attributes(int rank);

    /** Takes the memory back, once all ranks have come or the communicator was aborted. */
    @Override
    void close();
  }

  /**
   * Makes this rank's tensor reachable. Collective; returns when every rank's part is. It has its
   * turn among operations, as {@link #submit} says.
   */
  RegisteredWindow register(Tensor tensor, OpOptions options);
}
