package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: products of matrices. */
abstract sealed class LinearOps extends ReductionOps permits IndexingOps {
  private static final MethodHandle T = handle("aten::t");
  private static final MethodHandle DIAGONAL = handle("aten::diagonal");
  private static final MethodHandle ZEROS = handle("aten::zeros");
  private static final MethodHandle MM = handle("aten::mm");
  private static final MethodHandle ADDMM = handle("aten::addmm");
  private static final MethodHandle BMM = handle("aten::bmm");
  private static final MethodHandle BADDBMM = handle("aten::baddbmm");
  private static final MethodHandle MV = handle("aten::mv");
  private static final MethodHandle ADDMV = handle("aten::addmv");
  private static final MethodHandle DOT = handle("aten::dot");
  private static final MethodHandle OUTER = handle("aten::outer");
  private static final MethodHandle MATMUL = handle("aten::matmul");
  private static final MethodHandle LINEAR = handle("aten::linear");
  private static final MethodHandle TENSORDOT = handle("aten::tensordot");

  LinearOps() {}

  public static Tensor t(Tensor self) {
    try {
      return (Tensor) T.invokeExact(self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor diagonal(Tensor self, long offset, long dim1, long dim2) {
    try {
      return (Tensor) DIAGONAL.invokeExact(self, offset, dim1, dim2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor zeros(long[] size, DType dtype, Device device) {
    try {
      return (Tensor) ZEROS.invokeExact(size, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mm(Tensor self, Tensor mat2) {
    try {
      return (Tensor) MM.invokeExact(self, mat2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor addmm(Tensor self, Tensor mat1, Tensor mat2, Scalar beta, Scalar alpha) {
    try {
      return (Tensor) ADDMM.invokeExact(self, mat1, mat2, beta, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bmm(Tensor self, Tensor mat2) {
    try {
      return (Tensor) BMM.invokeExact(self, mat2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor baddbmm(
      Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha) {
    try {
      return (Tensor) BADDBMM.invokeExact(self, batch1, batch2, beta, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mv(Tensor self, Tensor vec) {
    try {
      return (Tensor) MV.invokeExact(self, vec);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor addmv(Tensor self, Tensor mat, Tensor vec, Scalar beta, Scalar alpha) {
    try {
      return (Tensor) ADDMV.invokeExact(self, mat, vec, beta, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor dot(Tensor self, Tensor tensor) {
    try {
      return (Tensor) DOT.invokeExact(self, tensor);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor outer(Tensor self, Tensor vec2) {
    try {
      return (Tensor) OUTER.invokeExact(self, vec2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor matmul(Tensor self, Tensor other) {
    try {
      return (Tensor) MATMUL.invokeExact(self, other);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Input times the transposed weight, plus bias, which may be null. */
  public static Tensor linear(Tensor input, Tensor weight, Tensor bias) {
    try {
      return (Tensor) LINEAR.invokeExact(input, weight, bias);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor tensordot(Tensor self, Tensor other, long[] dimsSelf, long[] dimsOther) {
    try {
      return (Tensor) TENSORDOT.invokeExact(self, other, dimsSelf, dimsOther);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
