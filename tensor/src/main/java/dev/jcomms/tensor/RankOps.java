package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: ranks, unique values, places among sorted ones. */
abstract sealed class RankOps extends WindowOps permits RecurrentOps {
  private static final Operator KTHVALUE = operator("aten::kthvalue");
  private static final Operator MEDIAN = operator("aten::median");
  private static final Operator MEDIAN_DIM = operator("aten::median.dim");
  private static final Operator NANMEDIAN = operator("aten::nanmedian");
  private static final Operator NANMEDIAN_DIM = operator("aten::nanmedian.dim");
  private static final Operator MODE = operator("aten::mode");
  private static final Operator CUMMAX = operator("aten::cummax");
  private static final Operator CUMMIN = operator("aten::cummin");
  private static final Operator LOGCUMSUMEXP = operator("aten::logcumsumexp");
  private static final Operator QUANTILE = operator("aten::quantile");
  private static final Operator QUANTILE_SCALAR = operator("aten::quantile.scalar");
  private static final Operator NANQUANTILE = operator("aten::nanquantile");
  private static final Operator NANMEAN = operator("aten::nanmean");
  private static final Operator UNIQUE2_PART = operator("aten::_unique2");
  private static final Operator UNIQUE_DIM = operator("aten::unique_dim");
  private static final Operator UNIQUE_CONSECUTIVE = operator("aten::unique_consecutive");
  private static final Operator SEARCHSORTED_TENSOR = operator("aten::searchsorted.Tensor");
  private static final Operator BUCKETIZE_TENSOR = operator("aten::bucketize.Tensor");
  private static final Operator ISIN_TENSOR_TENSOR = operator("aten::isin.Tensor_Tensor");
  private static final Operator HISTC = operator("aten::histc");
  private static final Operator BINCOUNT = operator("aten::bincount");
  private static final Operator PUT = operator("aten::put");
  private static final Operator PUT_ = operator("aten::put_");
  private static final Operator INDEX_REDUCE = operator("aten::index_reduce");
  private static final Operator RENORM = operator("aten::renorm");
  private static final Operator FILL_DIAGONAL_ = operator("aten::fill_diagonal_");
  private static final Operator SCATTER_REDUCE_TWO = operator("aten::scatter_reduce.two");

  RankOps() {}

  /** Values and indices. */
  public static Tensor[] kthvalue(Tensor self, long k, long dim, boolean keepdim) {
    try {
      return (Tensor[]) KTHVALUE.kernelFor(self).invokeExact(self, k, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor median(Tensor self) {
    return unary(MEDIAN, self);
  }

  /** Values and indices. */
  public static Tensor[] median(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor[]) MEDIAN_DIM.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nanmedian(Tensor self) {
    return unary(NANMEDIAN, self);
  }

  /** Values and indices. */
  public static Tensor[] nanmedian(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor[]) NANMEDIAN_DIM.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Values and indices. */
  public static Tensor[] mode(Tensor self, long dim, boolean keepdim) {
    try {
      return (Tensor[]) MODE.kernelFor(self).invokeExact(self, dim, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Values and indices. */
  public static Tensor[] cummax(Tensor self, long dim) {
    try {
      return (Tensor[]) CUMMAX.kernelFor(self).invokeExact(self, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Values and indices. */
  public static Tensor[] cummin(Tensor self, long dim) {
    try {
      return (Tensor[]) CUMMIN.kernelFor(self).invokeExact(self, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor logcumsumexp(Tensor self, long dim) {
    return withDim(LOGCUMSUMEXP, self, dim);
  }

  public static Tensor quantile(
      Tensor self, Tensor q, Long dim, boolean keepdim, String interpolation) {
    try {
      return (Tensor) QUANTILE.kernelFor(self, q).invokeExact(self, q, dim, keepdim, interpolation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor quantile(
      Tensor self, double q, Long dim, boolean keepdim, String interpolation) {
    try {
      return (Tensor)
          QUANTILE_SCALAR.kernelFor(self).invokeExact(self, q, dim, keepdim, interpolation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nanquantile(
      Tensor self, Tensor q, Long dim, boolean keepdim, String interpolation) {
    try {
      return (Tensor)
          NANQUANTILE.kernelFor(self, q).invokeExact(self, q, dim, keepdim, interpolation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nanmean(Tensor self, long[] dim, boolean keepdim, DType dtype) {
    try {
      return (Tensor) NANMEAN.kernelFor(self).invokeExact(self, dim, keepdim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] _unique2(
      Tensor self, boolean sorted, boolean returnInverse, boolean returnCounts) {
    try {
      return (Tensor[])
          UNIQUE2_PART.kernelFor(self).invokeExact(self, sorted, returnInverse, returnCounts);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] uniqueDim(
      Tensor self, long dim, boolean sorted, boolean returnInverse, boolean returnCounts) {
    try {
      return (Tensor[])
          UNIQUE_DIM.kernelFor(self).invokeExact(self, dim, sorted, returnInverse, returnCounts);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] uniqueConsecutive(
      Tensor self, boolean returnInverse, boolean returnCounts, Long dim) {
    try {
      return (Tensor[])
          UNIQUE_CONSECUTIVE.kernelFor(self).invokeExact(self, returnInverse, returnCounts, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor searchsorted(
      Tensor sortedSequence,
      Tensor self,
      boolean outInt32,
      boolean right,
      String side,
      Tensor sorter) {
    try {
      return (Tensor)
          SEARCHSORTED_TENSOR
              .kernelFor(sortedSequence, self, sorter)
              .invokeExact(sortedSequence, self, outInt32, right, side, sorter);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bucketize(Tensor self, Tensor boundaries, boolean outInt32, boolean right) {
    try {
      return (Tensor)
          BUCKETIZE_TENSOR
              .kernelFor(self, boundaries)
              .invokeExact(self, boundaries, outInt32, right);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor isin(
      Tensor elements, Tensor testElements, boolean assumeUnique, boolean invert) {
    try {
      return (Tensor)
          ISIN_TENSOR_TENSOR
              .kernelFor(elements, testElements)
              .invokeExact(elements, testElements, assumeUnique, invert);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor histc(Tensor self, long bins, Scalar min, Scalar max) {
    try {
      return (Tensor) HISTC.kernelFor(self).invokeExact(self, bins, min, max);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bincount(Tensor self, Tensor weights, long minlength) {
    try {
      return (Tensor) BINCOUNT.kernelFor(self, weights).invokeExact(self, weights, minlength);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor put(Tensor self, Tensor index, Tensor source, boolean accumulate) {
    try {
      return (Tensor)
          PUT.kernelFor(self, index, source).invokeExact(self, index, source, accumulate);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor put_(Tensor self, Tensor index, Tensor source, boolean accumulate) {
    try {
      return (Tensor)
          PUT_.kernelFor(self, index, source).invokeExact(self, index, source, accumulate);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor indexReduce(
      Tensor self, long dim, Tensor index, Tensor source, String reduce, boolean includeSelf) {
    try {
      return (Tensor)
          INDEX_REDUCE
              .kernelFor(self, index, source)
              .invokeExact(self, dim, index, source, reduce, includeSelf);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor renorm(Tensor self, Scalar p, long dim, Scalar maxnorm) {
    try {
      return (Tensor) RENORM.kernelFor(self).invokeExact(self, p, dim, maxnorm);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor fillDiagonal_(Tensor self, Scalar fillValue, boolean wrap) {
    try {
      return (Tensor) FILL_DIAGONAL_.kernelFor(self).invokeExact(self, fillValue, wrap);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor scatterReduce(
      Tensor self, long dim, Tensor index, Tensor src, String reduce, boolean includeSelf) {
    try {
      return (Tensor)
          SCATTER_REDUCE_TWO
              .kernelFor(self, index, src)
              .invokeExact(self, dim, index, src, reduce, includeSelf);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
