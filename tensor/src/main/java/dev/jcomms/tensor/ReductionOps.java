package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: reductions and running sums. Dimensions that are null are all. */
abstract sealed class ReductionOps extends ActivationOps permits LinearOps {
  private static final MethodHandle SUM = handle("aten::sum");
  private static final MethodHandle SUM_DIM = handle("aten::sum.dim_IntList");
  private static final MethodHandle MEAN = handle("aten::mean");
  private static final MethodHandle MEAN_DIM = handle("aten::mean.dim");
  private static final MethodHandle PROD = handle("aten::prod");
  private static final MethodHandle PROD_DIM = handle("aten::prod.dim_int");
  private static final MethodHandle AMAX = handle("aten::amax");
  private static final MethodHandle AMIN = handle("aten::amin");
  private static final MethodHandle ARGMAX = handle("aten::argmax");
  private static final MethodHandle ARGMIN = handle("aten::argmin");
  private static final MethodHandle MAX = handle("aten::max");
  private static final MethodHandle MAX_DIM = handle("aten::max.dim");
  private static final MethodHandle MIN = handle("aten::min");
  private static final MethodHandle MIN_DIM = handle("aten::min.dim");
  private static final MethodHandle ANY = handle("aten::any");
  private static final MethodHandle ANY_DIM = handle("aten::any.dim");
  private static final MethodHandle ALL = handle("aten::all");
  private static final MethodHandle ALL_DIM = handle("aten::all.dim");
  private static final MethodHandle VAR = handle("aten::var.correction");
  private static final MethodHandle VAR_MEAN = handle("aten::var_mean.correction");
  private static final MethodHandle STD = handle("aten::std.correction");
  private static final MethodHandle STD_MEAN = handle("aten::std_mean.correction");
  private static final MethodHandle VECTOR_NORM = handle("aten::linalg_vector_norm");
  private static final MethodHandle NORM = handle("aten::norm.ScalarOpt_dim");
  private static final MethodHandle LOGSUMEXP = handle("aten::logsumexp");
  private static final MethodHandle CUMSUM = handle("aten::cumsum");
  private static final MethodHandle CUMPROD = handle("aten::cumprod");
  private static final MethodHandle SUM_TO_SIZE = handle("aten::sum_to_size");

  ReductionOps() {}

  public static Tensor sum(Tensor self) {
    try {
      return (Tensor) SUM.invokeExact(self, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sum(Tensor self, long... dim) {
    return sum(self, dim, false, null);
  }

  public static Tensor sum(Tensor self, long[] dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) SUM_DIM.invokeExact(self, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mean(Tensor self) {
    try {
      return (Tensor) MEAN.invokeExact(self, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mean(Tensor self, long... dim) {
    return mean(self, dim, false, null);
  }

  public static Tensor mean(Tensor self, long[] dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) MEAN_DIM.invokeExact(self, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor prod(Tensor self) {
    try {
      return (Tensor) PROD.invokeExact(self, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor prod(Tensor self, long dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) PROD_DIM.invokeExact(self, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor amax(Tensor self, long[] dim, boolean keepdim) {
    try {
      return (Tensor) AMAX.invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor amin(Tensor self, long[] dim, boolean keepdim) {
    try {
      return (Tensor) AMIN.invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor argmax(Tensor self, Long dim, boolean keepdim) {
    try {
      return (Tensor) ARGMAX.invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor argmin(Tensor self, Long dim, boolean keepdim) {
    try {
      return (Tensor) ARGMIN.invokeExact(self, dim, keepdim);
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
      return (Tensor[]) MAX_DIM.invokeExact(self, dim, keepdim);
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
      return (Tensor[]) MIN_DIM.invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor any(Tensor self) {
    return unary(ANY, self);
  }

  public static Tensor any(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor) ANY_DIM.invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor all(Tensor self) {
    return unary(ALL, self);
  }

  public static Tensor all(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor) ALL_DIM.invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** A correction of null is 1. */
  public static Tensor var(Tensor self, long[] dim, Scalar correction, boolean keepdim) {
    try {
      return (Tensor) VAR.invokeExact(self, dim, correction, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] varMean(Tensor self, long[] dim, Scalar correction, boolean keepdim) {
    try {
      return (Tensor[]) VAR_MEAN.invokeExact(self, dim, correction, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** A correction of null is 1. */
  public static Tensor std(Tensor self, long[] dim, Scalar correction, boolean keepdim) {
    try {
      return (Tensor) STD.invokeExact(self, dim, correction, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] stdMean(Tensor self, long[] dim, Scalar correction, boolean keepdim) {
    try {
      return (Tensor[]) STD_MEAN.invokeExact(self, dim, correction, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor vectorNorm(
      Tensor self, Scalar ord, long[] dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) VECTOR_NORM.invokeExact(self, ord, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor norm(Tensor self, Scalar p, long[] dim, boolean keepdim) {
    try {
      return (Tensor) NORM.invokeExact(self, p, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor logsumexp(Tensor self, long[] dim, boolean keepdim) {
    try {
      return (Tensor) LOGSUMEXP.invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cumsum(Tensor self, long dim) {
    try {
      return (Tensor) CUMSUM.invokeExact(self, dim, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cumprod(Tensor self, long dim) {
    try {
      return (Tensor) CUMPROD.invokeExact(self, dim, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Sums over what was broadcast: the opposite of {@link #expand}. */
  public static Tensor sumToSize(Tensor self, long... size) {
    return withSizes(SUM_TO_SIZE, self, size);
  }
}
