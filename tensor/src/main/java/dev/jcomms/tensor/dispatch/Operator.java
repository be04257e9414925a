package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.internal.autograd.Recorder;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One operator: a schema and its kernels by key. Made by {@link Library#define}, found by {@link
 * Dispatcher#operator}; any thread may call it.
 *
 * <p>There are three ways in. {@link #kernelFor} is for those who know the schema when they
 * compile: shown the call's tensors, it gives the kernel, to be called by {@code invokeExact}; that
 * costs one look at their keys, one array load and the jump. {@link #handle} is both in one method
 * handle of the schema's Java types, to be kept in a {@code static final} field. {@link #call}
 * takes boxed arguments and fills in defaults.
 */
public final class Operator {
  private final String name;
  private final Supplier<Schema> reader;
  private final Supplier<Derivative> formula;
  private volatile Schema schema; // null: to be read when first asked for
  private final Map<DispatchKey, List<BoundKernel>> kernels = new EnumMap<>(DispatchKey.class);

  /** Of libraries; the last one counts. */
  private final List<Given> derivatives = new ArrayList<>();

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
    this.name = schema.qualifiedName();
    this.reader = null;
    this.formula = () -> null;
    this.schema = schema;
    this.path = new CallPath(this);
  }

  /**
   * A built-in operator, whose parts are made when first needed.
   *
   * @param formula gives the derivative that counts while no library has given one; null for none
   */
  Operator(
      String name,
      Supplier<Schema> reader,
      Map<DispatchKey, Supplier<MethodHandle>> kernels,
      Supplier<Derivative> formula) {
    this.name = name;
    this.reader = reader;
    this.formula = formula;
    this.path = new CallPath(this);
    kernels.forEach(
        (key, finder) ->
            this.kernels.put(key, new ArrayList<>(List.of(new BoundKernel(this, finder)))));
  }

  public Schema schema() {
    Schema read = schema;
    if (read == null) {
      read = reader.get();
      schema = read;
    }
    return read;
  }

  /** {@code aten::add.Tensor}. */
  public String name() {
    return name;
  }

  /**
   * The kernel that a call of this thread with this tensor goes to, of type {@link
   * Schema#methodType}. All tensors of the call must be shown, null for those it leaves out.
   *
   * @throws NoKernelException if there is none
   */
  public MethodHandle kernelFor(Tensor tensor) {
    return kernelFor(Keys.of(tensor));
  }

  public MethodHandle kernelFor(Tensor first, Tensor second) {
    return kernelFor(Keys.of(first, second));
  }

  public MethodHandle kernelFor(Tensor first, Tensor second, Tensor third) {
    return kernelFor(Keys.of(first, second, third));
  }

  public MethodHandle kernelFor(List<Tensor> tensors) {
    return kernelFor(Keys.of(tensors));
  }

  /** The same for a call without tensors, that makes one on a device; null is the cpu. */
  public MethodHandle kernelFor(Device device) {
    return kernelFor(Keys.of(device));
  }

  /** The same for a call with more tensors, and with lists of them. */
  public MethodHandle kernelForAll(Object... tensorsAndLists) {
    return kernelFor(Keys.ofAll(tensorsAndLists));
  }

  private MethodHandle kernelFor(long bits) {
    return table().require(Keys.effective(bits));
  }

  /** The typed way in as one handle; its type is {@link Schema#methodType}. */
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
    return path.call(Arguments.complete(schema(), args));
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

  /** The newest derivative it was given by {@link Library#derivative}, or came with. */
  public Optional<Derivative> derivative() {
    return Optional.ofNullable(newestDerivative());
  }

  /** Whether a call with this runtime key would find a kernel: its own, a composite, a fallback. */
  public boolean serves(DispatchKey key) {
    return table().entry(DispatchKeySet.of(key).bits()) != null;
  }

  @Override
  public String toString() {
    return schema().toString();
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
      if (!derivatives.isEmpty()) {
        return derivatives.getLast().derivative;
      }
    }
    return formula.get();
  }

  RegistrationHandle add(Derivative derivative) {
    Recorder.check(schema(), derivative);
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
