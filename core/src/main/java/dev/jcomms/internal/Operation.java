package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.Promise;

/**
 * One checked operation in its turn: hooks and recorder before, the backend, recorder and hooks
 * after, failures typed. Whoever performs it has the lane, until the backend passes the turn on.
 *
 * <p>One that waits for its turn first is a {@link QueuedOperation}'s.
 */
final class Operation implements Backend.Turn {
  private static final long NONE = -1;

  private final Communicator comm;
  private final Routes.Route route;
  private final Collective op;
  private final OpOptions options;
  private long number = NONE;
  private long flight = NONE;

  /** Whether the lane was entered for this operation alone, until it has passed it on. */
  private boolean alone;

  /** What hooks and JFR see of it; null while nobody looks. */
  private Observation observation;

  /** The options have a timeout. */
  Operation(Communicator comm, Routes.Route route, Collective op, OpOptions options) {
    this.comm = comm;
    this.route = route;
    this.op = op;
    this.options = options;
  }

  Operation(Communicator comm, Request request) {
    this(comm, request.route(), request.op(), request.options());
  }

  OpOptions options() {
    return options;
  }

  /** What it is, without when and where it runs. */
  Request request() {
    return new Request(route, op, options);
  }

  CommException.Site site() {
    return comm.site(op.opName(), number);
  }

  /** As {@link #perform}, in the lane that was entered for it alone; it is left with the end. */
  void performAlone(long number) {
    alone = true;
    try {
      perform(number);
    } finally {
      if (alone) {
        comm.lane().leave();
      } else {
        comm.lane().over();
      }
    }
  }

  /** What will tell of its end, once it is numbered. */
  Promise promise() {
    return comm.promise(op.opName(), number);
  }

  /** Performs it on this thread and throws what it failed with. */
  void perform(long number) {
    this.number = number;
    RuntimeException failure = null;
    Promise pending = null;
    boolean atOnce = false;
    try {
      Work work = begin(true);
      atOnce = work == Promise.endedAtOnce();
      if (!atOnce && work.status() != Work.Status.COMPLETED) {
        pending = comm.guard().track(work, options.timeoutOr(null), site());
        pending.await();
      }
    } catch (Throwable t) {
      failure = typed(t);
    }
    if (atOnce) {
      if (flight == NONE) {
        flight = comm.ring().followed(number, op);
      }
      comm.ring().endedAtOnce(flight);
    } else {
      begun(); // it may have ended before it was under way
      comm.ring().ended(flight, failure);
    }
    if (observation != null || failure != null) {
      tell(failure);
    }
    if (failure != null) {
      if (pending != null) {
        Health.awaitLast(pending); // an interrupt ended the wait, not the operation
      }
      throw failure;
    }
  }

  /** Records that it waits for its turn, of which it may be a part only. */
  void queued(long number) {
    this.number = number;
    flight = comm.ring().queued(number, op);
  }

  /** Gives it to the backend, which may go on by itself; who calls this has to {@link #end} it. */
  Work submit() {
    return begin(false);
  }

  /** The end of what was submitted. */
  void end(RuntimeException failure) {
    comm.ring().ended(flight, failure);
    tell(failure);
  }

  /** Records that the backend has it. */
  @Override
  public void begun() {
    if (flight == NONE) {
      flight = comm.ring().begun(number, op);
    } else {
      comm.ring().started(flight);
    }
  }

  @Override
  public void passOn() {
    // An abort can wake one thread inside a backend, not two.
    if (alone && !comm.guard().wakes()) {
      begun();
      alone = false;
      comm.lane().passOn();
    }
  }

  /** Whoever waits lets the backend use its thread. */
  private Work begin(boolean waits) {
    if (comm.isObserved()) {
      observe();
    }
    comm.guard().requireHealthy(op, number);
    if (op instanceof Collective.MonitoredBarrier) {
      begun();
      comm.agreement().monitoredBarrier(options.timeoutOr(null));
      return Work.completed();
    }
    if (comm.guard().wakes()) {
      return comm.guard().wakeable(op.opName(), number, () -> hand(waits));
    }
    return hand(waits);
  }

  private void observe() {
    if (flight == NONE) {
      flight = comm.ring().scheduled(number, op);
    }
    observation = new Observation(comm, number, request());
    observation.begin();
  }

  private Work hand(boolean waits) {
    Work work;
    if (waits) {
      work = route.backend().perform(op, options, this);
    } else {
      begun();
      work = route.backend().submit(op, options);
    }
    if (work == null) {
      throw new BackendException("backend '" + route.name() + "' returned no work", null);
    }
    return work;
  }

  /** Tells hooks, events and the communicator how it ended. */
  private void tell(RuntimeException failure) {
    if (observation != null) {
      comm.callOut(() -> observation.end(failure));
    }
    if (failure instanceof CommException failed) {
      comm.guard().failed(op, failed);
    }
  }

  /**
   * Refusals pass as they are; what a backend threw of its own becomes a {@link BackendException}.
   */
  RuntimeException typed(Throwable t) {
    return switch (t) {
      case Observation.Refused refused -> refused.refusal();
      case CommException known -> known.comm() == null ? known.at(site()) : known;
      case IllegalArgumentException refusal -> refusal;
      case UnsupportedOperationException refusal -> refusal;
      default -> new BackendException("backend '" + route.name() + "': " + t, t).at(site());
    };
  }
}
