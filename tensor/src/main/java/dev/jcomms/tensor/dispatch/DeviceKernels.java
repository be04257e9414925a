package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * What stands before the kernels that devices bring: the arguments are held against each other,
 * numbers that lie on the cpu are brought along, and the device is current while the kernel runs.
 */
final class DeviceKernels {
  private DeviceKernels() {}

  static MethodHandle guarded(Operator op, MethodHandle kernel) {
    return new BoundKernel(op, (_, _, args) -> run(op, kernel, args, true)).typed();
  }

  /** As the other, for a device's fallback, which is given its arguments as they are. */
  static MethodHandle guardedFallback(Operator op, MethodHandle fallback) {
    return new BoundKernel(op, (_, _, args) -> run(op, fallback, args, false)).typed();
  }

  private static Object run(Operator op, MethodHandle kernel, Object[] args, boolean bring) {
    Device device = DeviceArguments.device(op, args);
    if (device.equals(Device.CPU)) { // nothing says which device; the kernel was asked for by key
      return op.callKernel(kernel, args);
    }
    if (bring) {
      DeviceArguments.bring(op, device, args);
    }
    var provider = Devices.find(device);
    if (provider.isEmpty()) { // tensors made over storages by hand
      return op.callKernel(kernel, args);
    }
    try (var _ = provider.get().guard(device)) {
      return given(op, device, op.callKernel(kernel, args));
    }
  }

  /** Refuses nothing where the schema says a tensor: it would be missed much later. */
  private static Object given(Operator op, Device device, Object result) {
    List<Return> returns = op.schema().returns();
    if (result == null
        && returns.size() == 1
        && returns.getFirst().type() == SchemaType.Base.TENSOR) {
      throw new IllegalStateException(
          op.name() + ": the kernel for " + device + " returned null; schema: " + op.schema());
    }
    return result;
  }
}
