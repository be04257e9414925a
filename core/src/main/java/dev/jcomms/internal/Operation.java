package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.Hook;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.internal.observe.CollectiveEvent;
import dev.jcomms.internal.observe.EventSwitch;
import dev.jcomms.spi.Promise;
import java.util.List;

/**
 * One checked operation on its way: hooks and recorder before, the backend, recorder and hooks
 * after, failures typed.
 *
 * <p>A blocking call performs it on its own thread; otherwise the lane runs it and the {@link
 * #promise} tells. Whoever performs it has the lane.
 */
final class Operation implements Lane.Job {
  private static final long UNRECORDED = -1;

  private final Communicator comm;
  private final Routes.Route route;
  private final Collective op;
  private final OpOptions options;
  private long number;
  private long flight = UNRECORDED;
  private List<Hook> hooks = List.of();
  private Hook.Call call;
  private CollectiveEvent event;
  private Promise promise;
  private boolean atOnce;
  private volatile RuntimeException refusal;

  /** The options have a timeout. */
  Operation(Communicator comm, Routes.Route route, Collective op, OpOptions options) {
    this.comm = comm;
    this.route = route;
    this.op = op;
    this.options = options;
  }

  Collective op() {
    return op;
  }

  OpOptions options() {
    return options;
  }

  Routes.Route route() {
    return route;
  }

  /** Performs it on this thread and throws what it failed with. */
  void perform(long number) {
    this.number = number;
    if (flight == UNRECORDED && !comm.hooks().isEmpty()) {
      flight = comm.ring().scheduled(number, op);
    }
    RuntimeException failure = null;
    try {
      Work work = begin();
      if (work == Promise.endedAtOnce()) {
        atOnce = true;
      } else if (work.status() != Work.Status.COMPLETED) {
        comm.guard().track(work, options.timeoutOr(null), comm.site(op.opName(), number)).await();
      }
    } catch (Throwable t) {
      failure = typed(t);
    }
    if (atOnce && flight == UNRECORDED) {
      flight = comm.ring().followed(number, op);
    } else {
      begun(); // it may have ended before it was under way
    }
    end(failure);
    if (failure != null) {
      throw failure;
    }
  }

  /** Records that the backend has it. */
  private void begun() {
    if (flight == UNRECORDED) {
      flight = comm.ring().begun(number, op);
    } else {
      comm.ring().started(flight);
    }
  }

  @Override
  public void numbered(long number) {
    queued(number);
    promise = new Promise(comm.site(op.opName(), number));
  }

  /** Records that it waits for its turn, of which it may be a part only. */
  void queued(long number) {
    this.number = number;
    flight = comm.ring().queued(number, op);
  }

  @Override
  public Promise promise() {
    return promise;
  }

  @Override
  public Runnable run() {
    promise.start();
    Work work;
    try {
      work = begin();
    } catch (Throwable t) {
      RuntimeException failure = typed(t);
      return () -> finish(failure);
    }
    if (work.isCompleted()) {
      return () -> ended(work.failure().orElse(null));
    }
    // The backend goes on by itself: the lane is free for what comes next.
    Following.follow(work, options.timeoutOr(null), this::ended);
    return () -> {};
  }

  /**
   * Why it was refused before anything moved, if it was; the promise can only tell that it failed.
   */
  RuntimeException refusal() {
    return refusal;
  }

  private Work begin() {
    comm.guard().requireHealthy(op, number);
    if (!comm.hooks().isEmpty()) {
      hooks = comm.hooks().current();
      call = new Hook.Call(comm, number, op, options);
      for (int i = 0; i < hooks.size(); i++) {
        try {
          hooks.get(i).before(call);
        } catch (RuntimeException refusal) {
          hooks = hooks.subList(0, i + 1);
          throw new Refused(refusal);
        }
      }
    }
    if (EventSwitch.isOn()) {
      event = new CollectiveEvent();
      event.begin();
    }
    if (op instanceof Collective.MonitoredBarrier) {
      begun();
      comm.agreement().monitoredBarrier(options.timeoutOr(null));
      return Work.completed();
    }
    Work work =
        comm.guard().wakes() ? comm.guard().wakeable(op.opName(), number, this::hand) : hand();
    if (work == null) {
      throw new BackendException("backend '" + route.name() + "' returned no work", null);
    }
    return work;
  }

  /** Whoever waits here lets the backend use its thread. */
  private Work hand() {
    if (promise == null) {
      return route.backend().perform(op, options, this::begun);
    }
    begun();
    return route.backend().submit(op, options);
  }

  private void ended(RuntimeException failure) {
    finish(failure == null ? null : typed(failure));
  }

  private void finish(RuntimeException failure) {
    try {
      end(failure);
    } finally {
      if (failure == null) {
        promise.complete();
      } else {
        refusal = failure instanceof CommException ? null : failure;
        promise.fail(failure);
      }
    }
  }

  private void end(RuntimeException failure) {
    if (atOnce) {
      comm.ring().endedAtOnce(flight);
    } else {
      comm.ring().ended(flight, failure);
    }
    if (event != null) {
      event.end(comm.name(), op, algorithm(), failure);
    }
    if (call != null) {
      Hooks.after(hooks, call, failure);
    }
    if (failure instanceof CommException failed) {
      comm.guard().failed(op, failed);
    }
  }

  private String algorithm() {
    try {
      return route.backend().algorithm(op, options);
    } catch (RuntimeException e) {
      LastWords.warn("backend '" + route.name() + "' cannot name its algorithm", e);
      return "";
    }
  }

  /**
   * Refusals pass as they are; what a backend threw of its own becomes a {@link BackendException}.
   */
  private RuntimeException typed(Throwable t) {
    return switch (t) {
      case Refused refused -> refused.refusal;
      case CommException known ->
          known.comm() == null ? known.at(comm.site(op.opName(), number)) : known;
      case IllegalArgumentException refusal -> refusal;
      case UnsupportedOperationException refusal -> refusal;
      default ->
          new BackendException("backend '" + route.name() + "': " + t, t)
              .at(comm.site(op.opName(), number));
    };
  }

  /** Carries a hook's exception past the translation of backend failures. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final RuntimeException refusal;

    Refused(RuntimeException refusal) {
      super(null, null, false, false);
      this.refusal = refusal;
    }
  }
}
