package dev.jcomms.internal;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A window as core sees it: state, ranks, bounds and dtypes are checked here, the rest is the
 * backend's.
 */
final class CheckedWindow implements Window {
  private final Communicator comm;
  private final WindowBackend backend;
  private WindowBackend.RegisteredWindow registered;
  private DType dtype;
  private boolean closed;

  /** The fence called last: memory is not taken back under it. */
  private volatile Work fence = Work.completed();

  CheckedWindow(Communicator comm, Routes.Route route) {
    this.comm = comm;
    if (!(route.backend() instanceof WindowBackend windows)) {
      throw route.lacking("windows");
    }
    this.backend = windows;
  }

  @Override
  public synchronized void register(Tensor tensor, OpOptions options) {
    usable("register");
    if (registered != null) {
      throw new IllegalStateException(about("register") + ": a tensor is registered already");
    }
    contiguous("register", tensor);
    registrable(tensor);
    OpOptions resolved = comm.resolve(options);
    registered =
        comm.inTurn(
            about("register"),
            number -> {
              comm.agreement().registers();
              return comm.guard()
                  .sited(about("register"), number, () -> backend.register(tensor, resolved));
            });
    dtype = tensor.dtype();
  }

  @Override
  public synchronized void deregister() {
    WindowBackend.RegisteredWindow window = registered("deregister");
    awaitFence();
    registered = null;
    closeRegistered("deregister", window);
    // Closing also ends when nobody can come any more.
    comm.guard().requireAlive(about("deregister"));
  }

  @Override
  public Work putAsync(Tensor tensor, int dst, long offsetElements, OpOptions options) {
    WindowBackend.RegisteredWindow window = registered("put");
    fits("put", window, tensor, "dst", dst, offsetElements);
    return started("put", options, resolved -> window.put(tensor, dst, offsetElements, resolved));
  }

  @Override
  public Work getAsync(Tensor tensor, int src, long offsetElements, OpOptions options) {
    WindowBackend.RegisteredWindow window = registered("get");
    fits("get", window, tensor, "src", src, offsetElements);
    if (tensor.storage().isReadOnly()) {
      throw new IllegalArgumentException(
          about("get") + ": tensor is read-only and would be written to");
    }
    return started("get", options, resolved -> window.get(tensor, src, offsetElements, resolved));
  }

  @Override
  public Work accumulateAsync(
      Tensor tensor, int dst, long offsetElements, ReduceOp op, OpOptions options) {
    WindowBackend.RegisteredWindow window = registered("accumulate");
    fits("accumulate", window, tensor, "dst", dst, offsetElements);
    if (op == ReduceOp.AVG || !op.accepts(tensor.dtype())) {
      throw new IllegalArgumentException(
          about("accumulate")
              + ": reduce op "
              + op.opName()
              + " is not for accumulating "
              + tensor.dtype());
    }
    return started(
        "accumulate",
        options,
        resolved -> window.accumulate(tensor, dst, offsetElements, op, resolved));
  }

  @Override
  public Work signalAsync(int dst, OpOptions options) {
    WindowBackend.RegisteredWindow window = registered("signal");
    rank("signal", "dst", dst);
    return started("signal", options, resolved -> window.signal(dst, resolved));
  }

  @Override
  public Work awaitSignalAsync(int src, OpOptions options) {
    WindowBackend.RegisteredWindow window = registered("await_signal");
    rank("await_signal", "src", src);
    return started("await_signal", options, resolved -> window.awaitSignal(src, resolved));
  }

  @Override
  public Work flushAsync(int dst, OpOptions options) {
    WindowBackend.RegisteredWindow window = registered("flush");
    rank("flush", "dst", dst);
    return started("flush", options, resolved -> window.flush(dst, resolved));
  }

  @Override
  public Work fenceAsync(OpOptions options) {
    WindowBackend.RegisteredWindow window = registered("fence");
    Work work = started("fence", options, window::fence);
    fence = work;
    return work;
  }

  @Override
  public Tensor mapRemote(int rank) {
    WindowBackend.RegisteredWindow window = registered("map_remote");
    rank("map_remote", "rank", rank);
    if (window.attributes(rank).access() != Access.UNIFIED) {
      throw new UnsupportedOperationException(
          about("map_remote") + ": memory is not shared with rank=" + rank + "; use get and put");
    }
    return window.mapRemote(rank);
  }

  @Override
  public Attributes attributes(int rank) {
    WindowBackend.RegisteredWindow window = registered("attributes");
    rank("attributes", "rank", rank);
    return window.attributes(rank);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      if (registered != null) {
        awaitFence();
        WindowBackend.RegisteredWindow window = registered;
        registered = null;
        takeBack(window);
      }
    }
  }

  /** That others are gone is for the communicator to tell: the memory is this rank's again. */
  private void takeBack(WindowBackend.RegisteredWindow window) {
    try {
      closeRegistered("close", window);
    } catch (PeerLostException | CommAbortedException e) {
      // Whatever is called next says so.
    }
  }

  private void closeRegistered(String what, WindowBackend.RegisteredWindow window) {
    sited(
        what,
        () -> {
          window.close();
          return null;
        });
  }

  /** Ends by itself: every fence has a deadline. How it ended is told to those who called it. */
  private void awaitFence() {
    try {
      fence.await();
    } catch (CommException e) {
      // Told elsewhere.
    }
  }

  private void registrable(Tensor tensor) {
    if (!tensor.device().type().equals(comm.device().type())) {
      throw new IllegalArgumentException(
          about("register")
              + ": tensor is on device "
              + tensor.device()
              + ", the comm on "
              + comm.device());
    }
    if (tensor.storage().isReadOnly()) {
      throw new IllegalArgumentException(
          about("register") + ": tensor is read-only and others would write to it");
    }
    if (!backend.dtypes().contains(tensor.dtype())) {
      throw new IllegalArgumentException(
          about("register") + ": the backend does not move " + tensor.dtype());
    }
  }

  private synchronized WindowBackend.RegisteredWindow registered(String what) {
    usable(what);
    if (registered == null) {
      throw new IllegalStateException(
          about(what) + ": no tensor is registered; call register first");
    }
    return registered;
  }

  private void usable(String what) {
    if (closed) {
      throw new IllegalStateException(about(what) + ": the window is closed");
    }
    comm.guard().requireUsable("window " + what);
  }

  private void fits(
      String what,
      WindowBackend.RegisteredWindow window,
      Tensor tensor,
      String role,
      int rank,
      long offset) {
    contiguous(what, tensor);
    rank(what, role, rank);
    if (tensor.dtype() != dtype) {
      throw new IllegalArgumentException(
          about(what) + ": tensor has dtype=" + tensor.dtype() + ", the window dtype=" + dtype);
    }
    long room = window.attributes(rank).elements();
    if (offset < 0 || offset > room || tensor.elements() > room - offset) {
      throw new IllegalArgumentException(
          about(what)
              + ": offset="
              + offset
              + " and elements="
              + tensor.elements()
              + " do not fit into rank "
              + rank
              + "'s elements="
              + room);
    }
  }

  private void contiguous(String what, Tensor tensor) {
    if (tensor == null || !tensor.isContiguous()) {
      throw new IllegalArgumentException(
          about(what)
              + (tensor == null
                  ? ": tensor is null"
                  : ": tensor is not contiguous: shape=" + tensor.shape()));
    }
  }

  private void rank(String what, String role, int rank) {
    if (rank < 0 || rank >= comm.size()) {
      throw new IllegalArgumentException(
          about(what)
              + ": "
              + role
              + "="
              + rank
              + " is not a rank of comm '"
              + comm.name()
              + "' (size "
              + comm.size()
              + ")");
    }
  }

  private String about(String what) {
    return "window " + what;
  }

  /**
   * A backend's work as core gives it to users: with a deadline, a site, and reach for an abort.
   */
  private Work started(String what, OpOptions options, Function<OpOptions, Work> call) {
    OpOptions resolved = comm.resolve(options);
    Work work = sited(what, () -> call.apply(resolved));
    return work.status() == Work.Status.COMPLETED
        ? work
        : comm.guard().track(work, resolved.timeoutOr(null), comm.site("window " + what, -1));
  }

  private <T> T sited(String what, Supplier<T> call) {
    return comm.guard().sited(about(what), -1, call);
  }
}
