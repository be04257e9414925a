package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Layout;
import dev.jcomms.tensor.MemoryFormat;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.ScalarRange;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Transfers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Operators that move elements: copies, fills, conversions between dtypes and devices. */
final class CopyOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private CopyOps() {}

  static void define(Definitions d) {
    d.op("copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)")
        .everywhere(LOOKUP, "copy");
    d.op("fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)").everywhere(LOOKUP, "fill");
    d.op("fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)")
        .everywhere(LOOKUP, "fillTensor");
    d.op("zero_(Tensor(a!) self) -> Tensor(a!)").everywhere(LOOKUP, "zero");
    d.op("clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor")
        .everywhere(LOOKUP, "clone");
    d.op("contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)")
        .composite(LOOKUP, "contiguous");
    d.op(
            "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device?"
                + " device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat?"
                + " memory_format=None) -> Tensor")
        .everywhere(LOOKUP, "toCopy");
    d.op(
            "to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False,"
                + " MemoryFormat? memory_format=None) -> Tensor(a)")
        .composite(LOOKUP, "toDType");
    d.op(
            "to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False,"
                + " bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)")
        .composite(LOOKUP, "toDevice");
    d.op("item(Tensor self) -> Scalar").composite(LOOKUP, "item");
    d.op("_local_scalar_dense(Tensor self) -> Scalar").everywhere(LOOKUP, "scalar");
  }

  static Tensor copy(Tensor self, Tensor source, boolean nonBlocking) {
    return Transfers.copy(self, source);
  }

  /** {@code copy_} through the dispatcher. */
  static Tensor copyInto(Tensor self, Tensor source) {
    return Ops.copy_(self, source);
  }

  static Tensor fill(Tensor self, Scalar value) {
    ScalarRange.require("fill_", self.dtype(), value);
    if (self.storage().isOpaque()) {
      return Transfers.fill(
          self, fill(Tensor.empty(self.dtype(), dev.jcomms.tensor.Shape.scalar()), value));
    }
    TensorAccess.fillOnHost(self, value);
    return self;
  }

  static Tensor fillTensor(Tensor self, Tensor value) {
    if (value.shape().dims() != 0) {
      throw new IllegalArgumentException(
          "fill_: only 0-d value tensors are supported; value has shape " + value.shape());
    }
    return Ops.copy_(self, value);
  }

  static Tensor zero(Tensor self) {
    return Ops.fill_(self, Scalar.ZERO);
  }

  static Tensor clone(Tensor self, MemoryFormat format) {
    return Ops.copy_(
        Ops.empty(self.dtype(), TensorAccess.sizes(self.shape()), self.device()), self);
  }

  static Tensor contiguous(Tensor self, MemoryFormat format) {
    return self.isContiguous() ? self : Ops.clone(self);
  }

  static Tensor toCopy(
      Tensor self,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin,
      boolean nonBlocking,
      MemoryFormat format) {
    return Ops.copy_(
        Ops.empty(
            dtype == null ? self.dtype() : dtype,
            TensorAccess.sizes(self.shape()),
            device == null ? self.device() : device),
        self);
  }

  static Tensor toDType(
      Tensor self, DType dtype, boolean nonBlocking, boolean copy, MemoryFormat format) {
    return self.dtype() == dtype && !copy ? self : Ops.toCopy(self, dtype, null);
  }

  static Tensor toDevice(
      Tensor self,
      Device device,
      DType dtype,
      boolean nonBlocking,
      boolean copy,
      MemoryFormat format) {
    return self.dtype() == dtype && self.device().equals(device) && !copy
        ? self
        : Ops.toCopy(self, dtype, device);
  }

  static Scalar item(Tensor self) {
    if (self.elements() != 1) {
      throw new IllegalArgumentException(
          "item: a tensor with " + self.elements() + " elements cannot be one number");
    }
    return Ops.localScalarDense(self);
  }

  static Scalar scalar(Tensor self) {
    Tensor host = Transfers.toHost("item", self);
    long[] first = new long[host.shape().dims()];
    return switch (host.dtype()) {
      case BOOL -> Scalar.of(host.getBoolean(first));
      case I64, I32, I16, I8, U8 -> Scalar.of(host.getLong(first));
      case F64, F32, F16, BF16, F8E4M3, F8E5M2 -> Scalar.of(host.getDouble(first));
    };
  }
}
