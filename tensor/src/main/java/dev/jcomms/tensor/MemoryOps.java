package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;
import java.util.List;

/** Of {@link Ops}: making tensors, moving elements, views. */
abstract sealed class MemoryOps extends OperatorCalls permits UnaryMathOps {
  private static final MethodHandle EMPTY = handle("aten::empty.memory_format");
  private static final MethodHandle COPY_ = handle("aten::copy_");
  private static final MethodHandle FILL_ = handle("aten::fill_.Scalar");
  private static final MethodHandle CLONE = handle("aten::clone");
  private static final MethodHandle TO_COPY = handle("aten::_to_copy");
  private static final MethodHandle ITEM = handle("aten::_local_scalar_dense");
  private static final MethodHandle DETACH = handle("aten::detach");
  private static final MethodHandle VIEW = handle("aten::view");
  private static final MethodHandle RESHAPE = handle("aten::reshape");
  private static final MethodHandle TRANSPOSE = handle("aten::transpose.int");
  private static final MethodHandle PERMUTE = handle("aten::permute");
  private static final MethodHandle EXPAND = handle("aten::expand");
  private static final MethodHandle SLICE = handle("aten::slice.Tensor");
  private static final MethodHandle SELECT = handle("aten::select.int");
  private static final MethodHandle SQUEEZE = handle("aten::squeeze");
  private static final MethodHandle SQUEEZE_DIM = handle("aten::squeeze.dim");
  private static final MethodHandle UNSQUEEZE = handle("aten::unsqueeze");
  private static final MethodHandle SPLIT = handle("aten::split.Tensor");
  private static final MethodHandle SPLIT_SIZES = handle("aten::split_with_sizes");

  MemoryOps() {}

  /** A new tensor of undefined content; {@code device} null is the cpu. */
  public static Tensor empty(DType dtype, long[] size, Device device) {
    try {
      return (Tensor)
          EMPTY.invokeExact(
              size, dtype, (Layout) null, device, (Boolean) null, (MemoryFormat) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Writes the source's elements, converted and broadcast, also between devices. */
  public static Tensor copy_(Tensor self, Tensor source) {
    try {
      return (Tensor) COPY_.invokeExact(self, source, false);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor fill_(Tensor self, Scalar value) {
    try {
      return (Tensor) FILL_.invokeExact(self, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor clone(Tensor self) {
    try {
      return (Tensor) CLONE.invokeExact(self, (MemoryFormat) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** A copy of another dtype or on another device; null keeps what there is. */
  public static Tensor toCopy(Tensor self, DType dtype, Device device) {
    try {
      return (Tensor)
          TO_COPY.invokeExact(
              self, dtype, (Layout) null, device, (Boolean) null, false, (MemoryFormat) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The first element, as a number. */
  public static Scalar localScalarDense(Tensor self) {
    try {
      return (Scalar) ITEM.invokeExact(self);
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
      return (Tensor) TRANSPOSE.invokeExact(self, dim0, dim1);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor permute(Tensor self, long... dims) {
    return withSizes(PERMUTE, self, dims);
  }

  public static Tensor expand(Tensor self, long... size) {
    try {
      return (Tensor) EXPAND.invokeExact(self, size, false);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor slice(Tensor self, long dim, long start, long end, long step) {
    try {
      return (Tensor) SLICE.invokeExact(self, dim, Long.valueOf(start), Long.valueOf(end), step);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor select(Tensor self, long dim, long index) {
    try {
      return (Tensor) SELECT.invokeExact(self, dim, index);
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
      return (List<Tensor>) (List<?>) (List) SPLIT.invokeExact(self, size, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> splitWithSizes(Tensor self, long[] sizes, long dim) {
    try {
      return (List<Tensor>) (List<?>) (List) SPLIT_SIZES.invokeExact(self, sizes, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
