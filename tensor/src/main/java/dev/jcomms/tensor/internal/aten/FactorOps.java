package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.Factors;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/** Inverses, determinants, equations and roots of square matrices. */
final class FactorOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup FACTORS = CpuKernels.in(Factors.class);

  private FactorOps() {}

  static void define(Definitions d) {
    d.op("linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)")
        .cpu(FACTORS, "inverse");
    d.op("linalg_inv(Tensor A) -> Tensor").composite(LOOKUP, "inverse").exactOut("out");
    d.op("inverse(Tensor self) -> Tensor").composite(LOOKUP, "inverse").exactOut("out");
    d.op("linalg_det(Tensor A) -> Tensor").cpu(FACTORS, "determinant").exactOut("out");
    d.op("det(Tensor self) -> Tensor").composite(LOOKUP, "det");
    d.op("linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)")
        .cpu(FACTORS, "logDeterminant")
        .outAs(
            "linalg_slogdet.out(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet) ->"
                + " (Tensor(a!) sign, Tensor(b!) logabsdet)");
    d.op("slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)").composite(LOOKUP, "slogdet");
    d.op("logdet(Tensor self) -> Tensor").composite(LOOKUP, "logdet");
    d.op(
            "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) ->"
                + " (Tensor result, Tensor info)")
        .cpu(LOOKUP, "solveEx")
        .outAs(
            "linalg_solve_ex.out(Tensor A, Tensor B, *, bool left=True, bool check_errors=False,"
                + " Tensor(a!) result, Tensor(b!) info) -> (Tensor(a!) result, Tensor(b!) info)");
    d.op("linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor")
        .composite(LOOKUP, "solve")
        .exactOut("out");
    d.op(
            "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) ->"
                + " (Tensor L, Tensor info)")
        .cpu(LOOKUP, "choleskyEx");
    d.op("linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor")
        .composite(LOOKUP, "cholesky")
        .exactOut("out");
    d.op("cholesky(Tensor self, bool upper=False) -> Tensor")
        .composite(LOOKUP, "cholesky")
        .out("out");
    d.op("linalg_matrix_power(Tensor self, int n) -> Tensor")
        .composite(LOOKUP, "matrixPower")
        .exactOut("out");
    d.op("matrix_power(Tensor self, int n) -> Tensor")
        .composite(LOOKUP, "matrixPower")
        .exactOut("out");
  }

  static Tensor inverse(Tensor a) {
    return Ops.linalgInvEx(a, true)[0];
  }

  static Tensor det(Tensor self) {
    return Ops.linalgDet(self);
  }

  static Tensor[] slogdet(Tensor self) {
    return Ops.linalgSlogdet(self);
  }

  static Tensor logdet(Tensor self) {
    Tensor[] parts = Ops.linalgSlogdet(self);
    Tensor broken = Ops.lt(parts[0], Scalar.ZERO);
    return Ops.maskedFill(parts[1], broken, Scalar.of(Double.NaN));
  }

  /** As many equations as rows; b is of columns, or one for each matrix. */
  static Tensor[] solveEx(Tensor a, Tensor b, boolean left, boolean checkErrors) {
    boolean vector = isVector(a, b);
    if (a.shape().dims() < 2 || a.dtype() != b.dtype() || vector && !left) {
      throw new IllegalArgumentException(
          "linalg_solve: "
              + a.dtype()
              + a.shape()
              + " and "
              + b.dtype()
              + b.shape()
              + " are not matrices of one dtype");
    }
    Tensor columns = vector ? Ops.unsqueeze(b, -1) : b;
    Tensor matrix = left ? a : Ops.transpose(a, -2, -1);
    Tensor right = left ? columns : Ops.transpose(columns, -2, -1);
    if (right.shape().dims() < 2 || matrix.shape().size(-1) != right.shape().size(-2)) {
      throw new IllegalArgumentException(
          "linalg_solve: shapes " + a.shape() + " and " + b.shape() + " do not go together");
    }
    Shape batch = Shapes.broadcast("linalg_solve", batch(matrix), batch(right));
    Tensor[] found = Factors.solve(wide(matrix, batch), wide(right, batch), checkErrors);
    Tensor x = left ? found[0] : Ops.transpose(found[0], -2, -1);
    return new Tensor[] {vector ? Ops.squeeze(x, -1) : x, found[1]};
  }

  static boolean isVector(Tensor a, Tensor b) {
    long[] rows = a.shape().toArray();
    return b.shape().dims() == 1
        || rows.length > 1
            && b.shape().dims() == rows.length - 1
            && Arrays.equals(b.shape().toArray(), Arrays.copyOf(rows, rows.length - 1));
  }

  private static Shape batch(Tensor t) {
    long[] sizes = t.shape().toArray();
    return Shape.of(Arrays.copyOf(sizes, sizes.length - 2));
  }

  private static Tensor wide(Tensor t, Shape batch) {
    long[] sizes = Arrays.copyOf(batch.toArray(), batch.dims() + 2);
    sizes[batch.dims()] = t.shape().size(-2);
    sizes[batch.dims() + 1] = t.shape().size(-1);
    return Ops.expand(t, sizes);
  }

  static Tensor solve(Tensor a, Tensor b, boolean left) {
    return Ops.linalgSolveEx(a, b, left, true)[0];
  }

  static Tensor[] choleskyEx(Tensor self, boolean upper, boolean checkErrors) {
    if (!upper) {
      return Factors.cholesky(self, checkErrors);
    }
    Tensor[] found = Factors.cholesky(Ops.transpose(self, -2, -1), checkErrors);
    return new Tensor[] {Ops.transpose(found[0], -2, -1), found[1]};
  }

  static Tensor cholesky(Tensor self, boolean upper) {
    return Ops.linalgCholeskyEx(self, upper, true)[0];
  }

  /** By squaring; a negative power is one of the inverse. */
  static Tensor matrixPower(Tensor self, long n) {
    int dims = self.shape().dims();
    if (dims < 2 || self.shape().size(-1) != self.shape().size(-2)) {
      throw new IllegalArgumentException(
          "linalg_matrix_power: needs square matrices, but has shape=" + self.shape());
    }
    if (n == 0) {
      Tensor one = SequenceOps.eye(self.shape().size(-1), self.dtype(), null, self.device(), null);
      return Ops.clone(Ops.expand(one, self.shape().toArray()));
    }
    if (self.dtype() == DType.BOOL || n < 0 && !self.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "linalg_matrix_power: n=" + n + " is not there for dtype=" + self.dtype());
    }
    Tensor square = n < 0 ? inverse(self) : self;
    Tensor out = null;
    for (long left = Math.abs(n); left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        out = out == null ? square : Ops.matmul(out, square);
      }
      if (left > 1) {
        square = Ops.matmul(square, square);
      }
    }
    return n == 1 ? Ops.clone(out) : out;
  }
}
