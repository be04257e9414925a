package dev.jcomms.internal;

import dev.jcomms.Comm;
import dev.jcomms.CommGraph;
import dev.jcomms.Hook;
import dev.jcomms.Registration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The hooks of a communicator, in the order of registration. */
final class Hooks {
  private static final System.Logger LOG = System.getLogger("dev.jcomms");

  private final CopyOnWriteArrayList<Hook> hooks = new CopyOnWriteArrayList<>();

  Registration add(Hook hook) {
    // The same hook may be added twice: each registration is its own entry.
    Hook entry = new Entry(hook);
    hooks.add(entry);
    return () -> hooks.remove(entry);
  }

  boolean isEmpty() {
    return hooks.isEmpty();
  }

  /** The hooks as they are now: an operation keeps to them, so that every before has its after. */
  List<Hook> current() {
    return List.copyOf(hooks);
  }

  static void after(List<Hook> hooks, Hook.Call call, RuntimeException failure) {
    Optional<RuntimeException> outcome = Optional.ofNullable(failure);
    each(hooks, "after", hook -> hook.after(call, outcome));
  }

  void aborted(Comm comm, String reason) {
    each(hooks, "aborted", hook -> hook.aborted(comm, reason));
  }

  void replay(Comm comm, CommGraph graph) {
    each(hooks, "replay", hook -> hook.replay(comm, graph));
  }

  private static void each(List<Hook> hooks, String what, Consumer<Hook> call) {
    for (Hook hook : hooks) {
      try {
        call.accept(hook);
      } catch (Throwable e) {
        // An Error of a hook, a failed assertion say, must not take the communicator with it.
        LOG.log(System.Logger.Level.WARNING, "a hook failed in " + what, e);
      }
    }
  }

  /** Gives a registration an identity of its own. */
  private static final class Entry implements Hook {
    private final Hook hook;

    Entry(Hook hook) {
      this.hook = java.util.Objects.requireNonNull(hook, "hook");
    }

    @Override
    public void before(Call call) {
      hook.before(call);
    }

    @Override
    public void after(Call call, Optional<RuntimeException> failure) {
      hook.after(call, failure);
    }

    @Override
    public void aborted(Comm comm, String reason) {
      hook.aborted(comm, reason);
    }

    @Override
    public void replay(Comm comm, CommGraph graph) {
      hook.replay(comm, graph);
    }
  }
}
