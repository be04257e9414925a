package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;
import java.util.List;

/** Of {@link Ops}: reading and writing by index, joining, sorting. */
abstract sealed class IndexingOps extends LinearOps permits NetworkOps {
  private static final Operator GATHER = operator("aten::gather");
  private static final Operator INDEX_SELECT = operator("aten::index_select");
  private static final Operator SCATTER_SRC = operator("aten::scatter.src");
  private static final Operator SCATTER_VALUE = operator("aten::scatter.value");
  private static final Operator SCATTER_ADD = operator("aten::scatter_add");
  private static final Operator INDEX_ADD = operator("aten::index_add");
  private static final Operator INDEX_FILL_INT_SCALAR = operator("aten::index_fill.int_Scalar");
  private static final Operator INDEX_TENSOR = operator("aten::index.Tensor");
  private static final Operator INDEX_PUT = operator("aten::index_put");
  private static final Operator MASKED_FILL_SCALAR = operator("aten::masked_fill.Scalar");
  private static final Operator MASKED_FILL__SCALAR = operator("aten::masked_fill_.Scalar");
  private static final Operator MASKED_SELECT = operator("aten::masked_select");
  private static final Operator MASKED_SCATTER_ = operator("aten::masked_scatter_");
  private static final Operator NONZERO = operator("aten::nonzero");
  private static final Operator TAKE_ALONG_DIM = operator("aten::take_along_dim");
  private static final Operator ONE_HOT = operator("aten::one_hot");
  private static final Operator CAT = operator("aten::cat");
  private static final Operator STACK = operator("aten::stack");
  private static final Operator FLIP = operator("aten::flip");
  private static final Operator ROLL = operator("aten::roll");
  private static final Operator TRIL = operator("aten::tril");
  private static final Operator TRIU = operator("aten::triu");
  private static final Operator SORT_STABLE = operator("aten::sort.stable");
  private static final Operator TOPK = operator("aten::topk");
  private static final Operator ARGSORT = operator("aten::argsort");
  private static final Operator CONSTANT_PAD_ND = operator("aten::constant_pad_nd");

  IndexingOps() {}

  public static Tensor gather(Tensor self, long dim, Tensor index) {
    try {
      return (Tensor) GATHER.kernelFor(self, index).invokeExact(self, dim, index, false);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexSelect(Tensor self, long dim, Tensor index) {
    try {
      return (Tensor) INDEX_SELECT.kernelFor(self, index).invokeExact(self, dim, index);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor scatter(Tensor self, long dim, Tensor index, Tensor src) {
    try {
      return (Tensor) SCATTER_SRC.kernelFor(self, index, src).invokeExact(self, dim, index, src);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor scatter(Tensor self, long dim, Tensor index, Scalar value) {
    try {
      return (Tensor) SCATTER_VALUE.kernelFor(self, index).invokeExact(self, dim, index, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor scatterAdd(Tensor self, long dim, Tensor index, Tensor src) {
    try {
      return (Tensor) SCATTER_ADD.kernelFor(self, index, src).invokeExact(self, dim, index, src);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexAdd(Tensor self, long dim, Tensor index, Tensor source, Scalar alpha) {
    try {
      return (Tensor)
          INDEX_ADD.kernelFor(self, index, source).invokeExact(self, dim, index, source, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexFill(Tensor self, long dim, Tensor index, Scalar value) {
    try {
      return (Tensor)
          INDEX_FILL_INT_SCALAR.kernelFor(self, index).invokeExact(self, dim, index, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor index(Tensor self, List<Tensor> indices) {
    try {
      return (Tensor) INDEX_TENSOR.kernelForAll(self, indices).invokeExact(self, indices);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexPut(
      Tensor self, List<Tensor> indices, Tensor values, boolean accumulate) {
    try {
      return (Tensor)
          INDEX_PUT
              .kernelForAll(self, values, indices)
              .invokeExact(self, indices, values, accumulate);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maskedFill(Tensor self, Tensor mask, Scalar value) {
    try {
      return (Tensor) MASKED_FILL_SCALAR.kernelFor(self, mask).invokeExact(self, mask, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maskedFill_(Tensor self, Tensor mask, Scalar value) {
    try {
      return (Tensor) MASKED_FILL__SCALAR.kernelFor(self, mask).invokeExact(self, mask, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maskedSelect(Tensor self, Tensor mask) {
    try {
      return (Tensor) MASKED_SELECT.kernelFor(self, mask).invokeExact(self, mask);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maskedScatter_(Tensor self, Tensor mask, Tensor source) {
    try {
      return (Tensor) MASKED_SCATTER_.kernelFor(self, mask, source).invokeExact(self, mask, source);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nonzero(Tensor self) {
    try {
      return (Tensor) NONZERO.kernelFor(self).invokeExact(self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor takeAlongDim(Tensor self, Tensor indices, Long dim) {
    try {
      return (Tensor) TAKE_ALONG_DIM.kernelFor(self, indices).invokeExact(self, indices, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor oneHot(Tensor self, long numClasses) {
    try {
      return (Tensor) ONE_HOT.kernelFor(self).invokeExact(self, numClasses);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cat(List<Tensor> tensors, long dim) {
    try {
      return (Tensor) CAT.kernelFor(tensors).invokeExact(tensors, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor stack(List<Tensor> tensors, long dim) {
    try {
      return (Tensor) STACK.kernelFor(tensors).invokeExact(tensors, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor flip(Tensor self, long[] dims) {
    try {
      return (Tensor) FLIP.kernelFor(self).invokeExact(self, dims);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor roll(Tensor self, long[] shifts, long[] dims) {
    try {
      return (Tensor) ROLL.kernelFor(self).invokeExact(self, shifts, dims);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor tril(Tensor self, long diagonal) {
    try {
      return (Tensor) TRIL.kernelFor(self).invokeExact(self, diagonal);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor triu(Tensor self, long diagonal) {
    try {
      return (Tensor) TRIU.kernelFor(self).invokeExact(self, diagonal);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Values and indices. */
  public static Tensor[] sort(Tensor self, Boolean stable, long dim, boolean descending) {
    try {
      return (Tensor[]) SORT_STABLE.kernelFor(self).invokeExact(self, stable, dim, descending);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Values and indices. */
  public static Tensor[] topk(Tensor self, long k, long dim, boolean largest, boolean sorted) {
    try {
      return (Tensor[]) TOPK.kernelFor(self).invokeExact(self, k, dim, largest, sorted);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor argsort(Tensor self, long dim, boolean descending) {
    try {
      return (Tensor) ARGSORT.kernelFor(self).invokeExact(self, dim, descending);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor constantPadNd(Tensor self, long[] pad, Scalar value) {
    try {
      return (Tensor) CONSTANT_PAD_ND.kernelFor(self).invokeExact(self, pad, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
