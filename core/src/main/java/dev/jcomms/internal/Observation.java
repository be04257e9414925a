package dev.jcomms.internal;

import dev.jcomms.Hook;
import dev.jcomms.internal.observe.CollectiveEvent;
import dev.jcomms.internal.observe.EventSwitch;
import java.util.List;

/** What hooks and Java Flight Recorder see of one operation. */
final class Observation {
  private final Hook.Call call;
  private final Request request;
  private List<Hook> hooks;
  private CollectiveEvent event;

  Observation(Communicator comm, long number, Request request) {
    this.call = new Hook.Call(comm, number, request.op(), request.options());
    this.request = request;
    this.hooks = comm.hooks().current();
  }

  /** Whether anybody looks at what the hooks' communicator does. */
  static boolean isWanted(Hooks hooks) {
    return !hooks.isEmpty() || EventSwitch.isOn();
  }

  /**
   * Before the backend gets it.
   *
   * @throws Refused if a hook does not want it: those that were asked learn its end
   */
  void begin() {
    for (int i = 0; i < hooks.size(); i++) {
      try {
        hooks.get(i).before(call);
      } catch (RuntimeException refusal) {
        hooks = hooks.subList(0, i + 1);
        throw new Refused(refusal);
      } catch (Error e) {
        hooks = hooks.subList(0, i + 1);
        throw new Refused(new IllegalStateException("a hook failed in before: " + e, e));
      }
    }
    if (EventSwitch.isOn()) {
      event = new CollectiveEvent();
      event.begin();
    }
  }

  void end(RuntimeException failure) {
    if (event != null) {
      event.end(call.comm().name(), request.op(), algorithm(), failure);
    }
    Hooks.after(hooks, call, failure);
  }

  private String algorithm() {
    Routes.Route route = request.route();
    try {
      return route.backend().algorithm(request.op(), request.options());
    } catch (RuntimeException e) {
      LastWords.warn("backend '" + route.name() + "' cannot name its algorithm", e);
      return "";
    }
  }

  /** Carries a hook's exception past the translation of backend failures. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final RuntimeException refusal;

    Refused(RuntimeException refusal) {
      super(null, null, false, false);
      this.refusal = refusal;
    }

    RuntimeException refusal() {
      return refusal;
    }
  }
}
