package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: products of matrices. */
abstract sealed class LinearOps extends ReductionOps permits IndexingOps {
  private static final Operator T = operator("aten::t");
  private static final Operator DIAGONAL = operator("aten::diagonal");
  private static final Operator ZEROS = operator("aten::zeros");
  private static final Operator MM = operator("aten::mm");
  private static final Operator ADDMM = operator("aten::addmm");
  private static final Operator BMM = operator("aten::bmm");
  private static final Operator BADDBMM = operator("aten::baddbmm");
  private static final Operator MV = operator("aten::mv");
  private static final Operator ADDMV = operator("aten::addmv");
  private static final Operator DOT = operator("aten::dot");
  private static final Operator OUTER = operator("aten::outer");
  private static final Operator MATMUL = operator("aten::matmul");
  private static final Operator LINEAR = operator("aten::linear");
  private static final Operator TENSORDOT = operator("aten::tensordot");

  LinearOps() {}

  public static Tensor t(Tensor self) {
    try {
      return (Tensor) T.kernelFor(self).invokeExact(self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor diagonal(Tensor self, long offset, long dim1, long dim2) {
    try {
      return (Tensor) DIAGONAL.kernelFor(self).invokeExact(self, offset, dim1, dim2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor zeros(long[] size, DType dtype, Device device) {
    try {
      return (Tensor)
          ZEROS.kernelFor(device).invokeExact(size, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mm(Tensor self, Tensor mat2) {
    try {
      return (Tensor) MM.kernelFor(self, mat2).invokeExact(self, mat2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor addmm(Tensor self, Tensor mat1, Tensor mat2, Scalar beta, Scalar alpha) {
    try {
      return (Tensor) ADDMM.kernelFor(self, mat1, mat2).invokeExact(self, mat1, mat2, beta, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bmm(Tensor self, Tensor mat2) {
    try {
      return (Tensor) BMM.kernelFor(self, mat2).invokeExact(self, mat2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor baddbmm(
      Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha) {
    try {
      return (Tensor)
          BADDBMM.kernelFor(self, batch1, batch2).invokeExact(self, batch1, batch2, beta, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mv(Tensor self, Tensor vec) {
    try {
      return (Tensor) MV.kernelFor(self, vec).invokeExact(self, vec);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor addmv(Tensor self, Tensor mat, Tensor vec, Scalar beta, Scalar alpha) {
    try {
      return (Tensor) ADDMV.kernelFor(self, mat, vec).invokeExact(self, mat, vec, beta, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor dot(Tensor self, Tensor tensor) {
    try {
      return (Tensor) DOT.kernelFor(self, tensor).invokeExact(self, tensor);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor outer(Tensor self, Tensor vec2) {
    try {
      return (Tensor) OUTER.kernelFor(self, vec2).invokeExact(self, vec2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor matmul(Tensor self, Tensor other) {
    try {
      return (Tensor) MATMUL.kernelFor(self, other).invokeExact(self, other);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Input times the transposed weight, plus bias, which may be null. */
  public static Tensor linear(Tensor input, Tensor weight, Tensor bias) {
    try {
      return (Tensor) LINEAR.kernelFor(input, weight, bias).invokeExact(input, weight, bias);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor tensordot(Tensor self, Tensor other, long[] dimsSelf, long[] dimsOther) {
    try {
      return (Tensor)
          TENSORDOT.kernelFor(self, other).invokeExact(self, other, dimsSelf, dimsOther);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
