package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which device a call is for, and whether its tensors may meet there. PyTorch's rule: all are on
 * one device, but a 0-d tensor of the cpu may join any other.
 */
final class DeviceArguments {
  /** Copies between devices are what these are for. */
  private static final Set<String> COPIES =
      Set.of("copy_", "_copy_from", "_copy_from_and_resize", "_to_copy");

  /** Indexes may be on the cpu. */
  private static final Set<String> INDEXED =
      Set.of("index", "index_put", "index_put_", "_index_put_impl_", "_unsafe_index");

  private DeviceArguments() {}

  /**
   * The device that the operator runs on: of the first tensor that is not on the cpu, else the one
   * that is asked for, else the cpu.
   *
   * @throws IllegalArgumentException if the tensors may not meet
   */
  static Device device(Operator op, Object[] args) {
    Schema schema = op.schema();
    boolean free =
        !schema.namespace().equals("aten")
            || COPIES.contains(schema.name())
            || INDEXED.contains(schema.name());
    Device asked = null;
    Device found = null;
    for (int i = 0; i < args.length; i++) {
      if (args[i] instanceof Device d) {
        asked = d;
      }
      for (Tensor t : tensors(args[i])) {
        Device here = t.device();
        if (here.equals(Device.CPU)
            && (free || t.shape().dims() == 0 && !schema.arguments().get(i).isWritten())) {
          continue;
        }
        if (found == null) {
          found = here;
        } else if (!found.equals(here) && !free) {
          throw new IllegalArgumentException(
              op.name()
                  + ": expected all tensors to be on the same device, but found at least two"
                  + " devices, "
                  + found
                  + " and "
                  + here
                  + " (argument '"
                  + schema.arguments().get(i).name()
                  + "'); use Tensor.to");
        }
      }
    }
    return found != null ? found : asked != null ? asked : Device.CPU;
  }

  /** Brings the cpu's tensors to the device, so that its kernels see its own memory only. */
  static void bring(Operator op, Device device, Object[] args) {
    Schema schema = op.schema();
    if (!schema.namespace().equals("aten") || COPIES.contains(schema.name())) {
      return;
    }
    for (int i = 0; i < args.length; i++) {
      if (args[i] instanceof Tensor t && t.device().equals(Device.CPU)) {
        args[i] = Ops.toCopy(t, null, device);
      } else if (args[i] instanceof List<?> list && holdsHostTensor(list)) {
        List<Object> brought = new ArrayList<>();
        for (Object o : list) {
          brought.add(
              o instanceof Tensor t && t.device().equals(Device.CPU)
                  ? Ops.toCopy(t, null, device)
                  : o);
        }
        args[i] = brought;
      }
    }
  }

  private static boolean holdsHostTensor(List<?> list) {
    for (Object o : list) {
      if (o instanceof Tensor t && t.device().equals(Device.CPU)) {
        return true;
      }
    }
    return false;
  }

  /** The tensors of one argument, those that are not undefined. */
  static List<Tensor> tensors(Object arg) {
    if (arg instanceof Tensor t) {
      return List.of(t);
    }
    if (!(arg instanceof List<?> list)) {
      return List.of();
    }
    List<Tensor> tensors = new ArrayList<>();
    for (Object o : list) {
      if (o instanceof Tensor t) {
        tensors.add(t);
      }
    }
    return tensors;
  }
}
