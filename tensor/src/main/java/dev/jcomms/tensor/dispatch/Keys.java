package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.util.List;

/**
 * The word that decides where a call goes: the runtime keys of its arguments, a bit that says
 * whether one of them requires a gradient, and what the calling thread adds and takes away.
 */
final class Keys {
  /** Bits of the keys that tensors carry. */
  static final long RUNTIME = (1L << 10) - 1;

  static final long AUTOGRAD = RUNTIME & ~((1L << 5) - 1);

  /** Set in a tensor that requires a gradient; taken away where gradients are off. */
  static final long GRAD = TensorAccess.REQUIRES_GRAD;

  /** What a call without tensors and without a device is served by. */
  private static final long DEFAULT = 1L << DispatchKey.CPU.ordinal();

  private static final ThreadLocal<Local> LOCAL = ThreadLocal.withInitial(Local::new);

  /** One thread's additions. */
  static final class Local {
    long include;
    long exclude;
    Dispatcher.Scope innermost; // the one to be closed first; null if none is open
  }

  private Keys() {}

  static Local local() {
    return LOCAL.get();
  }

  /** What is left of the arguments' word on this thread. */
  static long effective(long bits) {
    Local local = LOCAL.get();
    return (bits | local.include) & ~local.exclude;
  }

  /** The keys alone, as kernels see them. */
  static DispatchKeySet set(long bits) {
    return new DispatchKeySet(bits & RUNTIME);
  }

  static long of(Tensor t) {
    return t == null ? 0 : TensorAccess.keys(t);
  }

  static long of(Tensor a, Tensor b) {
    return of(a) | of(b);
  }

  static long of(Tensor a, Tensor b, Tensor c) {
    return of(a) | of(b) | of(c);
  }

  static long of(List<Tensor> tensors) {
    long bits = 0;
    if (tensors != null) {
      for (Tensor t : tensors) {
        bits |= of(t);
      }
    }
    return bits;
  }

  /** For operators that make tensors from nothing: the device they are to be on. */
  static long of(Device device) {
    if (device == null) {
      return DEFAULT;
    }
    DispatchKey key = DispatchKey.of(device);
    return 1L << key.ordinal() | 1L << key.autograd().ordinal();
  }

  static long ofNothing() {
    return DEFAULT;
  }

  /** The slow way, for any arguments. */
  static long ofAll(Object[] args) {
    long bits = 0;
    boolean tensors = false;
    Device device = null;
    for (Object arg : args) {
      if (arg instanceof Tensor t) {
        bits |= of(t);
        tensors = true;
      } else if (arg instanceof List<?> list) {
        for (Object o : list) {
          if (o instanceof Tensor t) {
            bits |= of(t);
            tensors = true;
          }
        }
      } else if (arg instanceof Device d) {
        device = d;
      }
    }
    return tensors ? bits : of(device);
  }
}
