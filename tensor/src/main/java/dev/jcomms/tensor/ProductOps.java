package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;
import java.util.List;

/** Of {@link Ops}: products made of other products. */
abstract sealed class ProductOps extends LossOps permits WindowOps {
  private static final Operator EINSUM = operator("aten::einsum");
  private static final Operator KRON = operator("aten::kron");
  private static final Operator CROSS = operator("aten::cross");
  private static final Operator LINALG_CROSS = operator("aten::linalg_cross");
  private static final Operator LINALG_MULTI_DOT = operator("aten::linalg_multi_dot");
  private static final Operator LINALG_VECDOT = operator("aten::linalg_vecdot");
  private static final Operator ADDBMM = operator("aten::addbmm");
  private static final Operator BILINEAR = operator("aten::bilinear");
  private static final Operator COV = operator("aten::cov");
  private static final Operator CORRCOEF = operator("aten::corrcoef");
  private static final Operator TRAPEZOID_X = operator("aten::trapezoid.x");
  private static final Operator TRAPEZOID_DX = operator("aten::trapezoid.dx");

  ProductOps() {}

  public static Tensor einsum(String equation, List<Tensor> tensors, long[] path) {
    try {
      return (Tensor) EINSUM.kernelFor(tensors).invokeExact(equation, tensors, path);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor kron(Tensor self, Tensor other) {
    return binary(KRON, self, other);
  }

  public static Tensor cross(Tensor self, Tensor other, Long dim) {
    try {
      return (Tensor) CROSS.kernelFor(self, other).invokeExact(self, other, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgCross(Tensor self, Tensor other, long dim) {
    try {
      return (Tensor) LINALG_CROSS.kernelFor(self, other).invokeExact(self, other, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgMultiDot(List<Tensor> tensors) {
    try {
      return (Tensor) LINALG_MULTI_DOT.kernelFor(tensors).invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor linalgVecdot(Tensor x, Tensor y, long dim) {
    try {
      return (Tensor) LINALG_VECDOT.kernelFor(x, y).invokeExact(x, y, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor addbmm(
      Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha) {
    try {
      return (Tensor)
          ADDBMM.kernelFor(self, batch1, batch2).invokeExact(self, batch1, batch2, beta, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor bias) {
    try {
      return (Tensor)
          BILINEAR
              .kernelForAll(input1, input2, weight, bias)
              .invokeExact(input1, input2, weight, bias);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cov(Tensor self, long correction, Tensor fweights, Tensor aweights) {
    try {
      return (Tensor)
          COV.kernelFor(self, fweights, aweights).invokeExact(self, correction, fweights, aweights);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor corrcoef(Tensor self) {
    return unary(CORRCOEF, self);
  }

  public static Tensor trapezoid(Tensor y, Tensor x, long dim) {
    try {
      return (Tensor) TRAPEZOID_X.kernelFor(y, x).invokeExact(y, x, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor trapezoid(Tensor y, Scalar dx, long dim) {
    try {
      return (Tensor) TRAPEZOID_DX.kernelFor(y).invokeExact(y, dx, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
