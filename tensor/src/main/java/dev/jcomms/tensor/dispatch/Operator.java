package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.internal.autograd.Recorder;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One operator: a schema and its kernels by key. Made by {@link Library#define}, found by {@link
 * Dispatcher#operator}; any thread may call it.
 *
 * <p>There are two ways in. {@link #handle} is a method handle of the schema's Java types: kept in
 * a {@code static final} field and called by {@code invokeExact} it costs one look at the
 * arguments' keys, one array load and the jump. {@link #call} takes boxed arguments and fills in
 * defaults.
 */
public final class Operator {
  private final Schema schema;
  private final Map<DispatchKey, List<BoundKernel>> kernels = new EnumMap<>(DispatchKey.class);
  private final List<Given> derivatives = new ArrayList<>(); // the last one counts
  private final CallPath path;
  private volatile DispatchTable table; // null: to be made from the kernels
  private volatile boolean defined = true;

  /** One registration of a derivative: two of the same one are two. */
  private static final class Given {
    final Derivative derivative;

    Given(Derivative derivative) {
      this.derivative = derivative;
    }
  }

  Operator(Schema schema) {
    this.schema = schema;
    this.path = new CallPath(this);
  }

  public Schema schema() {
    return schema;
  }

  /** {@code aten::add.Tensor}. */
  public String name() {
    return schema.qualifiedName();
  }

  /** The typed way in; its type is {@link Schema#methodType}. */
  public MethodHandle handle() {
    return path.handle();
  }

  /**
   * Calls with arguments in the schema's order, keyword-only ones too; those left out at the end
   * take their defaults. Whole numbers are accepted for floats and scalars, arrays for lists.
   *
   * @return null, the value, or an array of several
   * @throws IllegalArgumentException if an argument does not fit the schema
   * @throws NoKernelException if no kernel serves the arguments' keys
   */
  public Object call(Object... args) {
    return path.call(Arguments.complete(schema, args));
  }

  /**
   * Calls the kernel of {@code keys}, whatever the arguments' own keys are: for kernels that wrap
   * the next one. Nothing is recorded for gradients at this step; {@code args} must be complete.
   */
  public Object redispatch(DispatchKeySet keys, Object... args) {
    return path.callEntry(table().require(keys.bits()), args);
  }

  /**
   * Runtime and alias keys that have a kernel of their own, in the order of {@link DispatchKey}.
   */
  public List<DispatchKey> keys() {
    synchronized (kernels) {
      return List.copyOf(kernels.keySet());
    }
  }

  /** The newest derivative it was given by {@link Library#derivative}. */
  public Optional<Derivative> derivative() {
    return Optional.ofNullable(newestDerivative());
  }

  /** Whether a call with this runtime key would find a kernel: its own, a composite, a fallback. */
  public boolean serves(DispatchKey key) {
    return table().entry(DispatchKeySet.of(key).bits()) != null;
  }

  @Override
  public String toString() {
    return schema.toString();
  }

  // ---- for this package

  /** Calls a kernel of the schema's type. */
  Object callKernel(MethodHandle kernel, Object[] args) {
    return path.callEntry(kernel, args);
  }

  DispatchTable table() {
    DispatchTable now = table;
    return now != null ? now : makeTable();
  }

  private DispatchTable makeTable() {
    synchronized (kernels) {
      DispatchTable made = DispatchTable.make(this, defined);
      table = made;
      return made;
    }
  }

  /** The newest kernel registered for exactly this key; null if none. */
  BoundKernel kernel(DispatchKey key) {
    synchronized (kernels) {
      List<BoundKernel> stack = kernels.get(key);
      return stack == null ? null : stack.getLast();
    }
  }

  /** Puts a kernel before what is there; closing the registration takes it away again. */
  RegistrationHandle add(DispatchKey key, BoundKernel kernel) {
    synchronized (kernels) {
      kernels.computeIfAbsent(key, _ -> new ArrayList<>()).add(kernel);
      table = null;
    }
    return RegistrationHandle.once(
        () -> {
          synchronized (kernels) {
            List<BoundKernel> stack = kernels.get(key);
            stack.remove(kernel);
            if (stack.isEmpty()) {
              kernels.remove(key);
            }
            table = null;
          }
        });
  }

  /** The newest derivative; null if none. */
  Derivative newestDerivative() {
    synchronized (kernels) {
      return derivatives.isEmpty() ? null : derivatives.getLast().derivative;
    }
  }

  RegistrationHandle add(Derivative derivative) {
    Recorder.check(schema, derivative);
    Given given = new Given(derivative);
    synchronized (kernels) {
      derivatives.add(given);
      table = null;
    }
    return RegistrationHandle.once(
        () -> {
          synchronized (kernels) {
            derivatives.remove(given);
            table = null;
          }
        });
  }

  /** Something outside has changed that tables are made from. */
  void forgetTable() {
    synchronized (kernels) {
      table = null;
    }
  }

  /** The definition was taken back: calls through handles that are still around say so. */
  void undefine() {
    synchronized (kernels) {
      defined = false;
      table = null;
    }
  }
}
