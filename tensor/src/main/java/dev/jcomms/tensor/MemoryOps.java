package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;
import java.util.List;

/** Of {@link Ops}: making tensors, moving elements, views. */
abstract sealed class MemoryOps extends OperatorCalls permits UnaryMathOps {
  private static final Operator EMPTY = operator("aten::empty.memory_format");
  private static final Operator COPY_ = operator("aten::copy_");
  private static final Operator FILL_ = operator("aten::fill_.Scalar");
  private static final Operator CLONE = operator("aten::clone");
  private static final Operator TO_COPY = operator("aten::_to_copy");
  private static final Operator ITEM = operator("aten::_local_scalar_dense");
  private static final Operator DETACH = operator("aten::detach");
  private static final Operator VIEW = operator("aten::view");
  private static final Operator RESHAPE = operator("aten::reshape");
  private static final Operator TRANSPOSE = operator("aten::transpose.int");
  private static final Operator PERMUTE = operator("aten::permute");
  private static final Operator EXPAND = operator("aten::expand");
  private static final Operator SLICE = operator("aten::slice.Tensor");
  private static final Operator SELECT = operator("aten::select.int");
  private static final Operator SQUEEZE = operator("aten::squeeze");
  private static final Operator SQUEEZE_DIM = operator("aten::squeeze.dim");
  private static final Operator UNSQUEEZE = operator("aten::unsqueeze");
  private static final Operator SPLIT = operator("aten::split.Tensor");
  private static final Operator SPLIT_SIZES = operator("aten::split_with_sizes");

  MemoryOps() {}

  /** A new tensor of undefined content; {@code device} null is the cpu. */
  public static Tensor empty(DType dtype, long[] size, Device device) {
    try {
      return (Tensor)
          EMPTY
              .kernelFor(device)
              .invokeExact(size, dtype, (Layout) null, device, (Boolean) null, (MemoryFormat) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Writes the source's elements, converted and broadcast, also between devices. */
  public static Tensor copy_(Tensor self, Tensor source) {
    try {
      return (Tensor) COPY_.kernelFor(self, source).invokeExact(self, source, false);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor fill_(Tensor self, Scalar value) {
    try {
      return (Tensor) FILL_.kernelFor(self).invokeExact(self, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor clone(Tensor self) {
    try {
      return (Tensor) CLONE.kernelFor(self).invokeExact(self, (MemoryFormat) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** A copy of another dtype or on another device; null keeps what there is. */
  public static Tensor toCopy(Tensor self, DType dtype, Device device) {
    try {
      return (Tensor)
          TO_COPY
              .kernelFor(self)
              .invokeExact(
                  self, dtype, (Layout) null, device, (Boolean) null, false, (MemoryFormat) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The first element, as a number. */
  public static Scalar localScalarDense(Tensor self) {
    try {
      return (Scalar) ITEM.kernelFor(self).invokeExact(self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The same elements, out of the gradient graph. */
  public static Tensor detach(Tensor self) {
    return unary(DETACH, self);
  }

  public static Tensor view(Tensor self, long... size) {
    return withSizes(VIEW, self, size);
  }

  public static Tensor reshape(Tensor self, long... shape) {
    return withSizes(RESHAPE, self, shape);
  }

  public static Tensor transpose(Tensor self, long dim0, long dim1) {
    try {
      return (Tensor) TRANSPOSE.kernelFor(self).invokeExact(self, dim0, dim1);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor permute(Tensor self, long... dims) {
    return withSizes(PERMUTE, self, dims);
  }

  public static Tensor expand(Tensor self, long... size) {
    try {
      return (Tensor) EXPAND.kernelFor(self).invokeExact(self, size, false);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor slice(Tensor self, long dim, long start, long end, long step) {
    try {
      return (Tensor)
          SLICE
              .kernelFor(self)
              .invokeExact(self, dim, Long.valueOf(start), Long.valueOf(end), step);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor select(Tensor self, long dim, long index) {
    try {
      return (Tensor) SELECT.kernelFor(self).invokeExact(self, dim, index);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor squeeze(Tensor self) {
    return unary(SQUEEZE, self);
  }

  public static Tensor squeeze(Tensor self, long dim) {
    return withDim(SQUEEZE_DIM, self, dim);
  }

  public static Tensor unsqueeze(Tensor self, long dim) {
    return withDim(UNSQUEEZE, self, dim);
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> split(Tensor self, long size, long dim) {
    try {
      return (List<Tensor>) (List<?>) (List) SPLIT.kernelFor(self).invokeExact(self, size, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> splitWithSizes(Tensor self, long[] sizes, long dim) {
    try {
      return (List<Tensor>)
          (List<?>) (List) SPLIT_SIZES.kernelFor(self).invokeExact(self, sizes, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
