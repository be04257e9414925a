package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import java.util.Arrays;

/**
 * What a kernel is registered for. The first ten are <em>runtime keys</em>: tensors carry them, and
 * of those that the arguments of a call carry, the last one here is served first. The other three
 * are <em>aliases</em> that stand for several runtime keys when a table is made.
 */
public enum DispatchKey {
  CPU("CPU"),
  CUDA("CUDA"),
  PRIVATE_USE_1("PrivateUse1"),
  PRIVATE_USE_2("PrivateUse2"),
  PRIVATE_USE_3("PrivateUse3"),
  AUTOGRAD_CPU("AutogradCPU"),
  AUTOGRAD_CUDA("AutogradCUDA"),
  AUTOGRAD_PRIVATE_USE_1("AutogradPrivateUse1"),
  AUTOGRAD_PRIVATE_USE_2("AutogradPrivateUse2"),
  AUTOGRAD_PRIVATE_USE_3("AutogradPrivateUse3"),
  /** Every autograd key that has no kernel of its own. */
  AUTOGRAD("Autograd"),
  /**
   * A kernel made of other operators, whose gradients follow from theirs: serves every device and
   * needs no derivative.
   */
  COMPOSITE_IMPLICIT_AUTOGRAD("CompositeImplicitAutograd"),
  /** A kernel that serves every device, under a derivative of its own. */
  COMPOSITE_EXPLICIT_AUTOGRAD("CompositeExplicitAutograd");

  private static final int BACKENDS = 5;

  private final String text;

  DispatchKey(String text) {
    this.text = text;
  }

  /** The key of the device's kernels. */
  public static DispatchKey of(Device device) {
    return switch (device.type()) {
      case "cpu" -> CPU;
      case "cuda" -> CUDA;
      case "privateuse1" -> PRIVATE_USE_1;
      case "privateuse2" -> PRIVATE_USE_2;
      case "privateuse3" -> PRIVATE_USE_3;
      default -> throw new IllegalArgumentException("no dispatch key for device " + device);
    };
  }

  /**
   * The key of that name: PyTorch's ({@code PrivateUse1}) or the constant's.
   *
   * @throws IllegalArgumentException listing all names
   */
  public static DispatchKey parse(String name) {
    for (DispatchKey key : values()) {
      if (key.text.equals(name) || key.name().equals(name)) {
        return key;
      }
    }
    throw new IllegalArgumentException(
        "no dispatch key named '" + name + "'; available: " + Arrays.toString(values()));
  }

  /** Whether tensors carry it; the others are aliases. */
  public boolean isRuntime() {
    return ordinal() < 2 * BACKENDS;
  }

  /** Whether kernels under it compute on a device. */
  public boolean isBackend() {
    return ordinal() < BACKENDS;
  }

  /** Whether it is the autograd key of one backend. */
  public boolean isAutograd() {
    return ordinal() >= BACKENDS && isRuntime();
  }

  /** The autograd key of a backend, or of itself. */
  public DispatchKey autograd() {
    requireRuntime();
    return isAutograd() ? this : values()[ordinal() + BACKENDS];
  }

  /** The backend of an autograd key, or of itself. */
  public DispatchKey backend() {
    requireRuntime();
    return isBackend() ? this : values()[ordinal() - BACKENDS];
  }

  private void requireRuntime() {
    if (!isRuntime()) {
      throw new IllegalStateException(this + " is an alias: it has no backend of its own");
    }
  }

  /** PyTorch's name. */
  @Override
  public String toString() {
    return text;
  }
}
