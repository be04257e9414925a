package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.Arrays;

/** Square matrices taken into factors, in double: with row swaps, and as a root. */
public final class Factors {
  private Factors() {}

  /** A matrix, its factors in place, and what was swapped. */
  private static final class Lu {
    final int n;
    final double[] a;
    final int[] pivots;
    int swaps;
    int firstZero; // counted from 1; 0 if every pivot is there

    Lu(double[] matrix, int n) {
      this.n = n;
      a = matrix;
      pivots = new int[n];
      for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
          best = Math.abs(a[i * n + k]) > Math.abs(a[best * n + k]) ? i : best;
        }
        pivots[k] = best + 1;
        if (best != k) {
          swaps++;
          for (int j = 0; j < n; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = t;
          }
        }
        double pivot = a[k * n + k];
        if (pivot == 0) {
          firstZero = firstZero == 0 ? k + 1 : firstZero;
          continue;
        }
        for (int i = k + 1; i < n; i++) {
          double factor = a[i * n + k] /= pivot;
          for (int j = k + 1; j < n; j++) {
            a[i * n + j] -= factor * a[k * n + j];
          }
        }
      }
    }

    /** Solves for columns of b in place. */
    void solve(double[] b, int columns) {
      for (int k = 0; k < n; k++) {
        int with = pivots[k] - 1;
        for (int c = 0; with != k && c < columns; c++) {
          double t = b[k * columns + c];
          b[k * columns + c] = b[with * columns + c];
          b[with * columns + c] = t;
        }
      }
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
          for (int c = 0; c < columns; c++) {
            b[i * columns + c] -= a[i * n + j] * b[j * columns + c];
          }
        }
      }
      for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
          for (int c = 0; c < columns; c++) {
            b[i * columns + c] -= a[i * n + j] * b[j * columns + c];
          }
        }
        for (int c = 0; c < columns; c++) {
          b[i * columns + c] /= a[i * n + i];
        }
      }
    }
  }

  /** The inverse of each, and which pivot was zero, if one was. */
  public static Tensor[] inverse(Tensor self, boolean checkErrors) {
    int n = square("linalg_inv_ex", self);
    Tensor from = Dense.of(self);
    Tensor out = Tensor.empty(self.dtype(), self.shape());
    Tensor info = Tensor.zeros(DType.I32, batch(self));
    long count = info.elements();
    double[] b = new double[n * n];
    for (long m = 0; m < count; m++) {
      Lu lu = new Lu(read(from, m, n * n), n);
      Arrays.fill(b, 0);
      for (int i = 0; i < n; i++) {
        b[i * n + i] = 1;
      }
      lu.solve(b, n);
      write(b, out, m);
      note("linalg_inv_ex", info, m, lu.firstZero, checkErrors);
    }
    Reference.reachabilityFence(from);
    return new Tensor[] {out, info};
  }

  /** Determinants. */
  public static Tensor determinant(Tensor self) {
    return determinants("linalg_det", self)[0];
  }

  /** Signs of determinants, and the logarithms of their sizes. */
  public static Tensor[] logDeterminant(Tensor self) {
    Tensor[] all = determinants("linalg_slogdet", self);
    return new Tensor[] {all[1], all[2]};
  }

  private static Tensor[] determinants(String op, Tensor self) {
    int n = square(op, self);
    Tensor from = Dense.of(self);
    Tensor[] out = new Tensor[3];
    Arrays.setAll(out, _ -> Tensor.empty(self.dtype(), batch(self)));
    for (long m = 0; m < out[0].elements(); m++) {
      Lu lu = new Lu(read(from, m, n * n), n);
      double product = lu.swaps % 2 == 0 ? 1 : -1;
      double sign = product;
      double log = 0;
      for (int i = 0; i < n; i++) {
        double pivot = lu.a[i * n + i];
        product *= pivot;
        sign *= Math.signum(pivot);
        log += Math.log(Math.abs(pivot));
      }
      write(new double[] {product}, out[0], m);
      write(new double[] {sign}, out[1], m);
      write(new double[] {log}, out[2], m);
    }
    Reference.reachabilityFence(from);
    return out;
  }

  /** Solves for the columns of b; batches are of one shape. */
  public static Tensor[] solve(Tensor a, Tensor b, boolean checkErrors) {
    int n = square("linalg_solve", a);
    int columns = Math.toIntExact(b.shape().size(-1));
    Tensor left = Dense.of(a);
    Tensor right = Dense.of(b);
    Tensor out = Tensor.empty(b.dtype(), b.shape());
    Tensor info = Tensor.zeros(DType.I32, batch(a));
    for (long m = 0; m < info.elements(); m++) {
      Lu lu = new Lu(read(left, m, n * n), n);
      double[] x = read(right, m, n * columns);
      lu.solve(x, columns);
      write(x, out, m);
      note("linalg_solve", info, m, lu.firstZero, checkErrors);
    }
    Reference.reachabilityFence(left);
    Reference.reachabilityFence(right);
    return new Tensor[] {out, info};
  }

  /** A lower triangle whose product with its transpose is the matrix; reads the lower half. */
  public static Tensor[] cholesky(Tensor self, boolean checkErrors) {
    int n = square("linalg_cholesky_ex", self);
    Tensor from = Dense.of(self);
    Tensor out = Tensor.empty(self.dtype(), self.shape());
    Tensor info = Tensor.zeros(DType.I32, batch(self));
    for (long m = 0; m < info.elements(); m++) {
      double[] a = read(from, m, n * n);
      int wrong = 0;
      for (int j = 0; j < n && wrong == 0; j++) {
        double square = a[j * n + j];
        for (int k = 0; k < j; k++) {
          square -= a[j * n + k] * a[j * n + k];
        }
        if (!(square > 0)) {
          wrong = j + 1;
          break;
        }
        double root = Math.sqrt(square);
        a[j * n + j] = root;
        for (int i = j + 1; i < n; i++) {
          double sum = a[i * n + j];
          for (int k = 0; k < j; k++) {
            sum -= a[i * n + k] * a[j * n + k];
          }
          a[i * n + j] = sum / root;
        }
      }
      for (int i = 0; i < n; i++) {
        Arrays.fill(a, i * n + i + 1, (i + 1) * n, 0);
      }
      write(a, out, m);
      note("linalg_cholesky_ex", info, m, wrong, checkErrors);
    }
    Reference.reachabilityFence(from);
    return new Tensor[] {out, info};
  }

  private static void note(String op, Tensor info, long m, int wrong, boolean checkErrors) {
    if (wrong != 0 && checkErrors) {
      throw new ArithmeticException(
          op
              + ": (batch element "
              + m
              + ") the diagonal element "
              + wrong
              + " is zero or below, so that the matrix is singular or not positive-definite");
    }
    Memory.put(Dense.address(info) + m * 4, wrong);
  }

  private static int square(String op, Tensor self) {
    if (self.shape().dims() < 2 || self.shape().size(-1) != self.shape().size(-2)) {
      throw new IllegalArgumentException(
          op + ": needs square matrices, but has shape=" + self.shape());
    }
    if (self.dtype() != DType.F32 && self.dtype() != DType.F64) {
      throw Refusals.dtype(op, self.dtype());
    }
    return Math.toIntExact(self.shape().size(-1));
  }

  private static Shape batch(Tensor self) {
    long[] sizes = self.shape().toArray();
    return Shape.of(Arrays.copyOf(sizes, sizes.length - 2));
  }

  private static double[] read(Tensor from, long m, int elements) {
    double[] values = new double[elements];
    DType dtype = from.dtype();
    Lines.read(Dense.address(from) + m * elements * dtype.bytes(), dtype, values, elements);
    return values;
  }

  private static void write(double[] values, Tensor to, long m) {
    DType dtype = to.dtype();
    Lines.write(
        values, Dense.address(to) + m * values.length * dtype.bytes(), dtype, values.length);
  }
}
