package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: reductions and running sums. Dimensions that are null are all. */
abstract sealed class ReductionOps extends ActivationOps permits LinearOps {
  private static final Operator SUM = operator("aten::sum");
  private static final Operator SUM_DIM = operator("aten::sum.dim_IntList");
  private static final Operator MEAN = operator("aten::mean");
  private static final Operator MEAN_DIM = operator("aten::mean.dim");
  private static final Operator PROD = operator("aten::prod");
  private static final Operator PROD_DIM = operator("aten::prod.dim_int");
  private static final Operator AMAX = operator("aten::amax");
  private static final Operator AMIN = operator("aten::amin");
  private static final Operator ARGMAX = operator("aten::argmax");
  private static final Operator ARGMIN = operator("aten::argmin");
  private static final Operator MAX = operator("aten::max");
  private static final Operator MAX_DIM = operator("aten::max.dim");
  private static final Operator MIN = operator("aten::min");
  private static final Operator MIN_DIM = operator("aten::min.dim");
  private static final Operator ANY = operator("aten::any");
  private static final Operator ANY_DIM = operator("aten::any.dim");
  private static final Operator ALL = operator("aten::all");
  private static final Operator ALL_DIM = operator("aten::all.dim");
  private static final Operator VAR = operator("aten::var.correction");
  private static final Operator VAR_MEAN = operator("aten::var_mean.correction");
  private static final Operator STD = operator("aten::std.correction");
  private static final Operator STD_MEAN = operator("aten::std_mean.correction");
  private static final Operator VECTOR_NORM = operator("aten::linalg_vector_norm");
  private static final Operator NORM = operator("aten::norm.ScalarOpt_dim");
  private static final Operator LOGSUMEXP = operator("aten::logsumexp");
  private static final Operator CUMSUM = operator("aten::cumsum");
  private static final Operator CUMPROD = operator("aten::cumprod");
  private static final Operator SUM_TO_SIZE = operator("aten::sum_to_size");

  ReductionOps() {}

  public static Tensor sum(Tensor self) {
    try {
      return (Tensor) SUM.kernelFor(self).invokeExact(self, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sum(Tensor self, long... dim) {
    return sum(self, dim, false, null);
  }

  public static Tensor sum(Tensor self, long[] dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) SUM_DIM.kernelFor(self).invokeExact(self, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mean(Tensor self) {
    try {
      return (Tensor) MEAN.kernelFor(self).invokeExact(self, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mean(Tensor self, long... dim) {
    return mean(self, dim, false, null);
  }

  public static Tensor mean(Tensor self, long[] dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) MEAN_DIM.kernelFor(self).invokeExact(self, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor prod(Tensor self) {
    try {
      return (Tensor) PROD.kernelFor(self).invokeExact(self, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor prod(Tensor self, long dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) PROD_DIM.kernelFor(self).invokeExact(self, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor amax(Tensor self, long[] dim, boolean keepdim) {
    try {
      return (Tensor) AMAX.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor amin(Tensor self, long[] dim, boolean keepdim) {
    try {
      return (Tensor) AMIN.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor argmax(Tensor self, Long dim, boolean keepdim) {
    try {
      return (Tensor) ARGMAX.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor argmin(Tensor self, Long dim, boolean keepdim) {
    try {
      return (Tensor) ARGMIN.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor max(Tensor self) {
    return unary(MAX, self);
  }

  /** Values and indices. */
  public static Tensor[] max(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor[]) MAX_DIM.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor min(Tensor self) {
    return unary(MIN, self);
  }

  /** Values and indices. */
  public static Tensor[] min(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor[]) MIN_DIM.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor any(Tensor self) {
    return unary(ANY, self);
  }

  public static Tensor any(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor) ANY_DIM.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor all(Tensor self) {
    return unary(ALL, self);
  }

  public static Tensor all(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor) ALL_DIM.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** A correction of null is 1. */
  public static Tensor var(Tensor self, long[] dim, Scalar correction, boolean keepdim) {
    try {
      return (Tensor) VAR.kernelFor(self).invokeExact(self, dim, correction, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] varMean(Tensor self, long[] dim, Scalar correction, boolean keepdim) {
    try {
      return (Tensor[]) VAR_MEAN.kernelFor(self).invokeExact(self, dim, correction, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** A correction of null is 1. */
  public static Tensor std(Tensor self, long[] dim, Scalar correction, boolean keepdim) {
    try {
      return (Tensor) STD.kernelFor(self).invokeExact(self, dim, correction, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] stdMean(Tensor self, long[] dim, Scalar correction, boolean keepdim) {
    try {
      return (Tensor[]) STD_MEAN.kernelFor(self).invokeExact(self, dim, correction, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor vectorNorm(
      Tensor self, Scalar ord, long[] dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) VECTOR_NORM.kernelFor(self).invokeExact(self, ord, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor norm(Tensor self, Scalar p, long[] dim, boolean keepdim) {
    try {
      return (Tensor) NORM.kernelFor(self).invokeExact(self, p, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor logsumexp(Tensor self, long[] dim, boolean keepdim) {
    try {
      return (Tensor) LOGSUMEXP.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cumsum(Tensor self, long dim) {
    try {
      return (Tensor) CUMSUM.kernelFor(self).invokeExact(self, dim, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cumprod(Tensor self, long dim) {
    try {
      return (Tensor) CUMPROD.kernelFor(self).invokeExact(self, dim, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Sums over what was broadcast: the opposite of {@link #expand}. */
  public static Tensor sumToSize(Tensor self, long... size) {
    return withSizes(SUM_TO_SIZE, self, size);
  }
}
