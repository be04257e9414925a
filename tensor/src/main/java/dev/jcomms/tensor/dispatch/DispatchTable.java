package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.internal.autograd.Recorder;
import java.lang.invoke.MethodHandle;

/**
 * What one operator does for every runtime key, worked out ahead so that a call is one array load.
 * Nobody sees it change.
 *
 * <p>There are two rows. Where an autograd key has no kernel of its own, a call none of whose
 * arguments wants a gradient goes straight to the backend's kernel: that is the plain row. The
 * recording row has the recorder there; it is made, and the operator's derivative fetched, when the
 * first call records.
 */
final class DispatchTable {
  private static final int ENTRIES = 11; // one for "no key", one a runtime key

  private final Operator op;
  private final boolean defined;
  private final MethodHandle[] plain = new MethodHandle[ENTRIES];
  private final Recording[] recordings = new Recording[ENTRIES];
  private volatile MethodHandle[] recording; // null: to be made

  /** When the recording row has the recorder. */
  private enum Recording {
    NEVER,
    ALWAYS,
    /** Else the composite does, by what it is made of. */
    WITH_DERIVATIVE
  }

  private DispatchTable(Operator op, boolean defined) {
    this.op = op;
    this.defined = defined;
  }

  static DispatchTable make(Operator op, boolean defined) {
    DispatchTable table = new DispatchTable(op, defined);
    if (defined) {
      for (DispatchKey key : DispatchKey.values()) {
        if (key.isBackend()) {
          table.fill(key);
        }
      }
      BoundKernel composite = op.kernel(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD);
      if (composite == null) {
        composite = op.kernel(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD);
      }
      table.plain[0] = composite == null ? null : composite.typed();
    }
    return table;
  }

  private MethodHandle[] makeRecording() {
    Derivative derivative = op.newestDerivative();
    MethodHandle[] row = plain.clone();
    for (int i = 0; i < ENTRIES; i++) {
      if (recordings[i] == Recording.ALWAYS
          || recordings[i] == Recording.WITH_DERIVATIVE && derivative != null) {
        row[i] = new BoundKernel(op, Recorder.of(op, derivative)).typed();
      }
    }
    recording = row;
    return row;
  }

  /**
   * The backend key takes its own kernel, else a composite, else the backend's fallback. Its
   * autograd key takes its own kernel, else the one for all autograd keys; else an implicit
   * composite if that is what serves the backend and it has no derivative; else the recorder around
   * the backend's kernel.
   */
  private void fill(DispatchKey backend) {
    BoundKernel own = op.kernel(backend);
    BoundKernel explicit = op.kernel(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD);
    BoundKernel implicit = op.kernel(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD);
    boolean composed = own == null && explicit == null && implicit != null;
    BoundKernel serving = own != null ? own : explicit != null ? explicit : implicit;
    if (serving == null) {
      Kernel.Boxed fallback = Registry.fallback(backend, op.schema().namespace());
      serving = fallback == null ? null : new BoundKernel(op, fallback);
    }
    MethodHandle below = serving == null ? null : serving.typed();
    if (below != null && backend != DispatchKey.CPU) {
      if (own != null) {
        below = DeviceKernels.guarded(op, below);
      } else if (explicit == null && implicit == null) {
        below = DeviceKernels.guardedFallback(op, below);
      }
    }
    if (below != null && !composed && op.schema().isMutable()) {
      below = Versions.counting(op.schema(), below);
    }

    DispatchKey autograd = backend.autograd();
    BoundKernel above = op.kernel(autograd);
    if (above == null) {
      above = op.kernel(DispatchKey.AUTOGRAD);
    }
    if (above == null) {
      Kernel.Boxed fallback = Registry.fallback(autograd, op.schema().namespace());
      above = fallback == null || composed ? null : new BoundKernel(op, fallback);
    }
    plain[backend.ordinal() + 1] = below;
    int a = autograd.ordinal() + 1;
    plain[a] = above != null ? above.typed() : below;
    recordings[a] =
        above != null || below == null
            ? Recording.NEVER
            : composed ? Recording.WITH_DERIVATIVE : Recording.ALWAYS;
  }

  /** The kernel for these bits, or null. */
  MethodHandle entry(long bits) {
    MethodHandle[] row = (bits & Keys.GRAD) == 0 ? plain : recording;
    return (row != null ? row : makeRecording())
        [64 - Long.numberOfLeadingZeros(bits & Keys.RUNTIME)];
  }

  MethodHandle require(long bits) {
    MethodHandle entry = entry(bits);
    if (entry == null) {
      throw missing(bits);
    }
    return entry;
  }

  private RuntimeException missing(long bits) {
    if (!defined) {
      return new IllegalStateException(
          op.name() + ": the library that defined this operator was closed");
    }
    DispatchKeySet keys = Keys.set(bits);
    return new NoKernelException(
        op.name()
            + ": no kernel for "
            + (keys.isEmpty() ? "a call without tensors" : words(keys.highest().backend()))
            + "; keys with one: "
            + op.keys()
            + "; register one with Library.impl, or a fallback for the device");
  }

  /** The key, and what its device is called if that is something else. */
  private static String words(DispatchKey backend) {
    String type = backend.toString().toLowerCase(java.util.Locale.ROOT);
    String device = Device.of(type).toString();
    String name = device.contains(":") ? device.substring(0, device.indexOf(':')) : device;
    return name.equals(type) ? backend.toString() : backend + " (device " + name + ")";
  }
}
