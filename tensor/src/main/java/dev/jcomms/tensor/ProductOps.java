package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;
import java.util.List;

/** Of {@link Ops}: products made of other products. */
abstract sealed class ProductOps extends LossOps permits WindowOps {
  private static final MethodHandle EINSUM = handle("aten::einsum");
  private static final MethodHandle KRON = handle("aten::kron");
  private static final MethodHandle CROSS = handle("aten::cross");
  private static final MethodHandle LINALG_CROSS = handle("aten::linalg_cross");
  private static final MethodHandle LINALG_MULTI_DOT = handle("aten::linalg_multi_dot");
  private static final MethodHandle LINALG_VECDOT = handle("aten::linalg_vecdot");
  private static final MethodHandle ADDBMM = handle("aten::addbmm");
  private static final MethodHandle BILINEAR = handle("aten::bilinear");
  private static final MethodHandle COV = handle("aten::cov");
  private static final MethodHandle CORRCOEF = handle("aten::corrcoef");
  private static final MethodHandle TRAPEZOID_X = handle("aten::trapezoid.x");
  private static final MethodHandle TRAPEZOID_DX = handle("aten::trapezoid.dx");

  ProductOps() {}

  public static Tensor einsum(String equation, List<Tensor> tensors, long[] path) {
    try {
      return (Tensor) EINSUM.invokeExact(equation, tensors, path);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor kron(Tensor self, Tensor other) {
    return binary(KRON, self, other);
  }

  public static Tensor cross(Tensor self, Tensor other, Long dim) {
    try {
      return (Tensor) CROSS.invokeExact(self, other, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgCross(Tensor self, Tensor other, long dim) {
    try {
      return (Tensor) LINALG_CROSS.invokeExact(self, other, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgMultiDot(List<Tensor> tensors) {
    try {
      return (Tensor) LINALG_MULTI_DOT.invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgVecdot(Tensor x, Tensor y, long dim) {
    try {
      return (Tensor) LINALG_VECDOT.invokeExact(x, y, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor addbmm(
      Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha) {
    try {
      return (Tensor) ADDBMM.invokeExact(self, batch1, batch2, beta, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor bias) {
    try {
      return (Tensor) BILINEAR.invokeExact(input1, input2, weight, bias);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cov(Tensor self, long correction, Tensor fweights, Tensor aweights) {
    try {
      return (Tensor) COV.invokeExact(self, correction, fweights, aweights);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor corrcoef(Tensor self) {
    return unary(CORRCOEF, self);
  }

  public static Tensor trapezoid(Tensor y, Tensor x, long dim) {
    try {
      return (Tensor) TRAPEZOID_X.invokeExact(y, x, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor trapezoid(Tensor y, Scalar dx, long dim) {
    try {
      return (Tensor) TRAPEZOID_DX.invokeExact(y, dx, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
