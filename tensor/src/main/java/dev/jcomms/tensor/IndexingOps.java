package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;
import java.util.List;

/** Of {@link Ops}: reading and writing by index, joining, sorting. */
abstract sealed class IndexingOps extends LinearOps permits NetworkOps {
  private static final MethodHandle GATHER = handle("aten::gather");
  private static final MethodHandle INDEX_SELECT = handle("aten::index_select");
  private static final MethodHandle SCATTER_SRC = handle("aten::scatter.src");
  private static final MethodHandle SCATTER_VALUE = handle("aten::scatter.value");
  private static final MethodHandle SCATTER_ADD = handle("aten::scatter_add");
  private static final MethodHandle INDEX_ADD = handle("aten::index_add");
  private static final MethodHandle INDEX_FILL_INT_SCALAR = handle("aten::index_fill.int_Scalar");
  private static final MethodHandle INDEX_TENSOR = handle("aten::index.Tensor");
  private static final MethodHandle INDEX_PUT = handle("aten::index_put");
  private static final MethodHandle MASKED_FILL_SCALAR = handle("aten::masked_fill.Scalar");
  private static final MethodHandle MASKED_FILL__SCALAR = handle("aten::masked_fill_.Scalar");
  private static final MethodHandle MASKED_SELECT = handle("aten::masked_select");
  private static final MethodHandle MASKED_SCATTER_ = handle("aten::masked_scatter_");
  private static final MethodHandle NONZERO = handle("aten::nonzero");
  private static final MethodHandle TAKE_ALONG_DIM = handle("aten::take_along_dim");
  private static final MethodHandle ONE_HOT = handle("aten::one_hot");
  private static final MethodHandle CAT = handle("aten::cat");
  private static final MethodHandle STACK = handle("aten::stack");
  private static final MethodHandle FLIP = handle("aten::flip");
  private static final MethodHandle ROLL = handle("aten::roll");
  private static final MethodHandle TRIL = handle("aten::tril");
  private static final MethodHandle TRIU = handle("aten::triu");
  private static final MethodHandle SORT_STABLE = handle("aten::sort.stable");
  private static final MethodHandle TOPK = handle("aten::topk");
  private static final MethodHandle ARGSORT = handle("aten::argsort");
  private static final MethodHandle CONSTANT_PAD_ND = handle("aten::constant_pad_nd");

  IndexingOps() {}

  public static Tensor gather(Tensor self, long dim, Tensor index) {
    try {
      return (Tensor) GATHER.invokeExact(self, dim, index, false);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexSelect(Tensor self, long dim, Tensor index) {
    try {
      return (Tensor) INDEX_SELECT.invokeExact(self, dim, index);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor scatter(Tensor self, long dim, Tensor index, Tensor src) {
    try {
      return (Tensor) SCATTER_SRC.invokeExact(self, dim, index, src);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor scatter(Tensor self, long dim, Tensor index, Scalar value) {
    try {
      return (Tensor) SCATTER_VALUE.invokeExact(self, dim, index, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor scatterAdd(Tensor self, long dim, Tensor index, Tensor src) {
    try {
      return (Tensor) SCATTER_ADD.invokeExact(self, dim, index, src);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexAdd(Tensor self, long dim, Tensor index, Tensor source, Scalar alpha) {
    try {
      return (Tensor) INDEX_ADD.invokeExact(self, dim, index, source, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexFill(Tensor self, long dim, Tensor index, Scalar value) {
    try {
      return (Tensor) INDEX_FILL_INT_SCALAR.invokeExact(self, dim, index, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor index(Tensor self, List<Tensor> indices) {
    try {
      return (Tensor) INDEX_TENSOR.invokeExact(self, indices);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexPut(
      Tensor self, List<Tensor> indices, Tensor values, boolean accumulate) {
    try {
      return (Tensor) INDEX_PUT.invokeExact(self, indices, values, accumulate);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maskedFill(Tensor self, Tensor mask, Scalar value) {
    try {
      return (Tensor) MASKED_FILL_SCALAR.invokeExact(self, mask, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maskedFill_(Tensor self, Tensor mask, Scalar value) {
    try {
      return (Tensor) MASKED_FILL__SCALAR.invokeExact(self, mask, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maskedSelect(Tensor self, Tensor mask) {
    try {
      return (Tensor) MASKED_SELECT.invokeExact(self, mask);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maskedScatter_(Tensor self, Tensor mask, Tensor source) {
    try {
      return (Tensor) MASKED_SCATTER_.invokeExact(self, mask, source);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nonzero(Tensor self) {
    try {
      return (Tensor) NONZERO.invokeExact(self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor takeAlongDim(Tensor self, Tensor indices, Long dim) {
    try {
      return (Tensor) TAKE_ALONG_DIM.invokeExact(self, indices, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor oneHot(Tensor self, long numClasses) {
    try {
      return (Tensor) ONE_HOT.invokeExact(self, numClasses);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cat(List<Tensor> tensors, long dim) {
    try {
      return (Tensor) CAT.invokeExact(tensors, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor stack(List<Tensor> tensors, long dim) {
    try {
      return (Tensor) STACK.invokeExact(tensors, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor flip(Tensor self, long[] dims) {
    try {
      return (Tensor) FLIP.invokeExact(self, dims);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor roll(Tensor self, long[] shifts, long[] dims) {
    try {
      return (Tensor) ROLL.invokeExact(self, shifts, dims);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor tril(Tensor self, long diagonal) {
    try {
      return (Tensor) TRIL.invokeExact(self, diagonal);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor triu(Tensor self, long diagonal) {
    try {
      return (Tensor) TRIU.invokeExact(self, diagonal);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Values and indices. */
  public static Tensor[] sort(Tensor self, Boolean stable, long dim, boolean descending) {
    try {
      return (Tensor[]) SORT_STABLE.invokeExact(self, stable, dim, descending);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Values and indices. */
  public static Tensor[] topk(Tensor self, long k, long dim, boolean largest, boolean sorted) {
    try {
      return (Tensor[]) TOPK.invokeExact(self, k, dim, largest, sorted);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor argsort(Tensor self, long dim, boolean descending) {
    try {
      return (Tensor) ARGSORT.invokeExact(self, dim, descending);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor constantPadNd(Tensor self, long[] pad, Scalar value) {
    try {
      return (Tensor) CONSTANT_PAD_ND.invokeExact(self, pad, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
