package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.util.Collection;
import java.util.Optional;

/**
 * The operators of the process, and what the calling thread adds to or takes from the keys of its
 * calls. All methods are static and may be called from any thread.
 */
public final class Dispatcher {
  private Dispatcher() {}

  /**
   * The operator of that qualified name, {@code aten::add.Tensor}.
   *
   * @throws IllegalArgumentException naming similar ones
   */
  public static Operator operator(String name) {
    Libraries.load();
    return Registry.require(name);
  }

  public static Optional<Operator> find(String name) {
    Libraries.load();
    return Optional.ofNullable(Registry.find(name));
  }

  /** Every operator that is defined now, by name. */
  public static Collection<Operator> operators() {
    Libraries.load();
    return Registry.all();
  }

  /** {@link Operator#call} of the operator of that name. */
  public static Object call(String name, Object... args) {
    return operator(name).call(args);
  }

  /** The keys that a tensor brings to a call. */
  public static DispatchKeySet keys(Tensor tensor) {
    return Keys.set(TensorAccess.keys(tensor));
  }

  /** Adds keys to every call of this thread until the scope is closed. */
  public static Scope include(DispatchKeySet keys) {
    return change(keys.bits(), 0);
  }

  /** Takes keys from every call of this thread until the scope is closed. */
  public static Scope exclude(DispatchKeySet keys) {
    return change(0, keys.bits());
  }

  /**
   * Calls go to the devices' kernels, past autograd: for kernels registered under an autograd key.
   */
  public static Scope belowAutograd() {
    return change(0, Keys.AUTOGRAD | Keys.GRAD);
  }

  /**
   * Whether calls whose arguments require a gradient are recorded on this thread, until the scope
   * is closed; users say it through {@code GradMode}.
   */
  public static Scope recording(boolean on) {
    Scope before = change(0, on ? 0 : Keys.GRAD);
    if (on) {
      Keys.local().exclude &= ~Keys.GRAD;
    }
    return before;
  }

  public static boolean isRecording() {
    return (Keys.local().exclude & Keys.GRAD) == 0;
  }

  /**
   * What a thread has changed; closed on the same thread, the last one first. Closing it again does
   * nothing.
   */
  public static final class Scope implements AutoCloseable {
    private final Keys.Local local;
    private final Scope outer;
    private final long include;
    private final long exclude;
    private boolean open = true;

    private Scope(Keys.Local local) {
      this.local = local;
      this.outer = local.innermost;
      this.include = local.include;
      this.exclude = local.exclude;
    }

    /**
     * Brings back what was there before.
     *
     * @throws IllegalStateException on another thread, or while a scope inside this one is open:
     *     nothing is changed then
     */
    @Override
    public void close() {
      if (!open) {
        return;
      }
      if (local != Keys.local()) {
        throw new IllegalStateException(
            "this scope belongs to another thread; close it where it was opened, best by try (…)");
      }
      if (local.innermost != this) {
        throw new IllegalStateException(
            "a scope that was opened inside this one is still open; close that one first");
      }
      open = false;
      local.innermost = outer;
      local.include = include;
      local.exclude = exclude;
    }
  }

  static Scope change(long include, long exclude) {
    Keys.Local local = Keys.local();
    Scope before = new Scope(local);
    local.innermost = before;
    local.include |= include;
    local.exclude |= exclude;
    return before;
  }

  /** Throws what a kernel threw, whatever it is. */
  static RuntimeException rethrow(Throwable t) {
    throw Dispatcher.<RuntimeException>cast(t);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T cast(Throwable t) throws T {
    throw (T) t;
  }
}
