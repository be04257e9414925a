package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import dev.jcomms.tensor.Layout;
import dev.jcomms.tensor.MemoryFormat;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Operators that make tensors from nothing, or from another one's header. */
final class FactoryOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final String OPTIONS =
      ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None,"
          + " bool? pin_memory=None";
  private static final String FORMAT = ", MemoryFormat? memory_format=None) -> Tensor";

  private FactoryOps() {}

  static void define(Definitions d) {
    d.op("empty.memory_format(SymInt[] size" + OPTIONS + FORMAT).everywhere(LOOKUP, "empty");
    d.op("empty_strided(SymInt[] size, SymInt[] stride" + OPTIONS + ") -> Tensor")
        .everywhere(LOOKUP, "emptyStrided");
    d.op("empty_like(Tensor self" + OPTIONS + FORMAT).everywhere(LOOKUP, "emptyLike");
    d.op("full(SymInt[] size, Scalar fill_value" + OPTIONS + ") -> Tensor")
        .everywhere(LOOKUP, "full");
    d.op("full_like(Tensor self, Scalar fill_value" + OPTIONS + FORMAT)
        .everywhere(LOOKUP, "fullLike");
    d.op("zeros(SymInt[] size" + OPTIONS + ") -> Tensor").everywhere(LOOKUP, "zeros");
    d.op("zeros_like(Tensor self" + OPTIONS + FORMAT).everywhere(LOOKUP, "zerosLike");
    d.op("ones(SymInt[] size" + OPTIONS + ") -> Tensor").everywhere(LOOKUP, "ones");
    d.op("ones_like(Tensor self" + OPTIONS + FORMAT).everywhere(LOOKUP, "onesLike");
    d.op("scalar_tensor(Scalar s" + OPTIONS + ") -> Tensor").everywhere(LOOKUP, "scalarTensor");
  }

  static Tensor empty(
      long[] size, DType dtype, Layout layout, Device device, Boolean pin, MemoryFormat format) {
    requireDense("empty", format);
    DType type = dtype == null ? DType.F32 : dtype;
    Device where = device == null ? Device.CPU : device;
    Shape shape = Shape.of(size);
    if (where.equals(Device.CPU)) {
      return Tensor.empty(type, shape);
    }
    return Tensor.over(Devices.allocate(where, shape.elements() * type.bytes()), type, shape);
  }

  static Tensor emptyStrided(
      long[] size, long[] stride, DType dtype, Layout layout, Device device, Boolean pin) {
    DType type = dtype == null ? DType.F32 : dtype;
    Device where = device == null ? Device.CPU : device;
    Shape shape = Shape.of(size);
    long reach = shape.elements() == 0 ? 0 : 1;
    for (int d = 0; d < size.length && reach > 0; d++) {
      reach += (size[d] - 1) * stride[d];
    }
    return Tensor.over(Devices.allocate(where, reach * type.bytes()), type, shape, stride, 0);
  }

  static Tensor emptyLike(
      Tensor self, DType dtype, Layout layout, Device device, Boolean pin, MemoryFormat format) {
    requireDense("empty_like", format);
    return Ops.empty(
        dtype == null ? self.dtype() : dtype,
        TensorAccess.sizes(self.shape()),
        device == null ? self.device() : device);
  }

  static Tensor full(
      long[] size, Scalar value, DType dtype, Layout layout, Device device, Boolean pin) {
    return Ops.fill_(Ops.empty(dtype == null ? natural(value) : dtype, size, device), value);
  }

  static Tensor fullLike(
      Tensor self,
      Scalar value,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin,
      MemoryFormat format) {
    return Ops.fill_(emptyLike(self, dtype, layout, device, pin, format), value);
  }

  static Tensor zeros(long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    DType type = dtype == null ? DType.F32 : dtype;
    return device == null || device.equals(Device.CPU)
        ? Tensor.zeros(type, Shape.of(size))
        : Ops.fill_(Ops.empty(type, size, device), Scalar.ZERO);
  }

  static Tensor zerosLike(
      Tensor self, DType dtype, Layout layout, Device device, Boolean pin, MemoryFormat format) {
    return fullLike(self, Scalar.ZERO, dtype, layout, device, pin, format);
  }

  static Tensor ones(long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    return full(size, Scalar.ONE, dtype == null ? DType.F32 : dtype, layout, device, pin);
  }

  static Tensor onesLike(
      Tensor self, DType dtype, Layout layout, Device device, Boolean pin, MemoryFormat format) {
    return fullLike(self, Scalar.ONE, dtype, layout, device, pin, format);
  }

  static Tensor scalarTensor(Scalar value, DType dtype, Layout layout, Device device, Boolean pin) {
    return full(new long[0], value, dtype == null ? DType.F32 : dtype, layout, device, pin);
  }

  private static DType natural(Scalar value) {
    return value.isBoolean() ? DType.BOOL : value.isIntegral() ? DType.I64 : DType.F32;
  }

  private static void requireDense(String op, MemoryFormat format) {
    if (format != null && format != MemoryFormat.CONTIGUOUS && format != MemoryFormat.PRESERVE) {
      throw new UnsupportedOperationException(
          op + ": memory_format=" + format + "; tensors here are laid out row by row");
    }
  }
}
