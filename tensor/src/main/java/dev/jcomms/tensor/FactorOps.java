package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: inverses, determinants, equations and roots of square matrices. */
abstract sealed class FactorOps extends RecurrentOps permits RandomOps {
  private static final Operator LINALG_INV_EX = operator("aten::linalg_inv_ex");
  private static final Operator LINALG_INV = operator("aten::linalg_inv");
  private static final Operator LINALG_DET = operator("aten::linalg_det");
  private static final Operator LINALG_SLOGDET = operator("aten::linalg_slogdet");
  private static final Operator LOGDET = operator("aten::logdet");
  private static final Operator LINALG_SOLVE_EX = operator("aten::linalg_solve_ex");
  private static final Operator LINALG_SOLVE = operator("aten::linalg_solve");
  private static final Operator LINALG_CHOLESKY_EX = operator("aten::linalg_cholesky_ex");
  private static final Operator LINALG_CHOLESKY = operator("aten::linalg_cholesky");
  private static final Operator LINALG_MATRIX_POWER = operator("aten::linalg_matrix_power");

  FactorOps() {}

  /** Inverse and info. */
  public static Tensor[] linalgInvEx(Tensor A, boolean checkErrors) {
    try {
      return (Tensor[]) LINALG_INV_EX.kernelFor(A).invokeExact(A, checkErrors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgInv(Tensor A) {
    return unary(LINALG_INV, A);
  }

  public static Tensor linalgDet(Tensor A) {
    return unary(LINALG_DET, A);
  }

  /** Sign and logabsdet. */
  public static Tensor[] linalgSlogdet(Tensor A) {
    try {
      return (Tensor[]) LINALG_SLOGDET.kernelFor(A).invokeExact(A);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor logdet(Tensor self) {
    return unary(LOGDET, self);
  }

  /** Result and info. */
  public static Tensor[] linalgSolveEx(Tensor A, Tensor B, boolean left, boolean checkErrors) {
    try {
      return (Tensor[]) LINALG_SOLVE_EX.kernelFor(A, B).invokeExact(A, B, left, checkErrors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgSolve(Tensor A, Tensor B, boolean left) {
    try {
      return (Tensor) LINALG_SOLVE.kernelFor(A, B).invokeExact(A, B, left);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** L and info. */
  public static Tensor[] linalgCholeskyEx(Tensor self, boolean upper, boolean checkErrors) {
    try {
      return (Tensor[]) LINALG_CHOLESKY_EX.kernelFor(self).invokeExact(self, upper, checkErrors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgCholesky(Tensor self, boolean upper) {
    try {
      return (Tensor) LINALG_CHOLESKY.kernelFor(self).invokeExact(self, upper);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgMatrixPower(Tensor self, long n) {
    return withDim(LINALG_MATRIX_POWER, self, n);
  }
}
