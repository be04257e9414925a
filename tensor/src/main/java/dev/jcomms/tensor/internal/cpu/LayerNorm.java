package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.Arrays;

/** Layer normalisation: rows of the last dimensions, each to mean 0 and variance 1. */
public final class LayerNorm {
  private static final long ELEMENTS_A_THREAD = 1L << 15;

  private LayerNorm() {}

  /** Result, mean and reciprocal of the standard deviation of each row. */
  public static Tensor[] forward(
      Tensor input, long[] normalizedShape, Tensor weight, Tensor bias, double eps) {
    String op = "native_layer_norm";
    Rows rows = Rows.of(op, input, normalizedShape, weight, bias);
    Tensor in = Dense.of(input);
    DType dtype = in.dtype();
    DType statistics = statistics(op, in, weight, bias);
    Tensor out = Tensor.empty(dtype, in.shape());
    Tensor mean = Tensor.empty(statistics, rows.statistics);
    Tensor rstd = Tensor.empty(statistics, rows.statistics);
    double[] gamma = weight == null ? null : weight.toDoubleArray();
    double[] beta = bias == null ? null : bias.toDoubleArray();
    double[] means = new double[Math.toIntExact(rows.count)];
    double[] rstds = new double[means.length];
    int n = rows.length;
    Parallel.run(
        rows.count,
        Math.max(1, ELEMENTS_A_THREAD / Math.max(1, n)),
        (first, last) -> {
          double[] x = new double[n];
          for (long r = first; r < last; r++) {
            Lines.read(Dense.address(in) + r * n * dtype.bytes(), dtype, x, n);
            double m = n == 0 ? 0 : Sums.sum(x, n) / n;
            for (int i = 0; i < n; i++) {
              x[i] -= m;
            }
            double s = 1 / Math.sqrt(Sums.dot(x, x, n) / n + eps);
            affine(x, s, gamma, beta);
            means[(int) r] = m;
            rstds[(int) r] = s;
            Lines.write(x, Dense.address(out) + r * n * dtype.bytes(), dtype, n);
          }
        });
    Lines.write(means, Dense.address(mean), statistics, means.length);
    Lines.write(rstds, Dense.address(rstd), statistics, rstds.length);
    Reference.reachabilityFence(in);
    return new Tensor[] {out, mean, rstd};
  }

  /** Gradients of input, weight and bias; null where the mask says that nobody wants one. */
  public static Tensor[] backward(
      Tensor gradOut,
      Tensor input,
      long[] normalizedShape,
      Tensor mean,
      Tensor rstd,
      Tensor weight,
      Tensor bias,
      boolean[] outputMask) {
    String op = "native_layer_norm_backward";
    Rows rows = Rows.of(op, input, normalizedShape, weight, bias);
    check(!outputMask[1] || weight != null, op + ": there is no weight to have a gradient");
    check(!outputMask[2] || bias != null, op + ": there is no bias to have a gradient");
    check(
        gradOut.shape().equals(input.shape()),
        op + ": grad_out is " + gradOut.shape() + ", but input is " + input.shape());
    Tensor grad = Dense.of(gradOut);
    Tensor in = Dense.of(input);
    DType dtype = in.dtype();
    Tensor gradIn = outputMask[0] ? Tensor.empty(dtype, in.shape()) : null;
    int n = rows.length;
    double[] gamma = weight == null ? null : weight.toDoubleArray();
    double[] means = mean.toDoubleArray();
    double[] rstds = rstd.toDoubleArray();
    double[] gradGamma = new double[n];
    double[] gradBeta = new double[n];
    double[] x = new double[n];
    double[] dy = new double[n];
    for (int r = 0; r < rows.count; r++) {
      long at = (long) r * n * dtype.bytes();
      Lines.read(Dense.address(in) + at, dtype, x, n);
      Lines.read(Dense.address(grad) + at, grad.dtype(), dy, n);
      double s = rstds[r];
      for (int i = 0; i < n; i++) {
        x[i] = (x[i] - means[r]) * s;
        gradGamma[i] += dy[i] * x[i];
        gradBeta[i] += dy[i];
      }
      if (gamma != null) {
        for (int i = 0; i < n; i++) {
          dy[i] *= gamma[i];
        }
      }
      double sum = Sums.sum(dy, n);
      double dot = Sums.dot(dy, x, n);
      if (gradIn != null) {
        for (int i = 0; i < n; i++) {
          dy[i] = s * (dy[i] - sum / n - x[i] * (dot / n));
        }
        Lines.write(dy, Dense.address(gradIn) + at, dtype, n);
      }
    }
    Reference.reachabilityFence(grad);
    Reference.reachabilityFence(in);
    return new Tensor[] {
      gradIn,
      outputMask[1] ? like(weight, gradGamma) : null,
      outputMask[2] ? like(bias, gradBeta) : null
    };
  }

  private static void affine(double[] x, double s, double[] gamma, double[] beta) {
    int n = x.length;
    for (int i = 0; i < n; i++) {
      x[i] *= s;
    }
    if (gamma != null) {
      for (int i = 0; i < n; i++) {
        x[i] *= gamma[i];
      }
    }
    if (beta != null) {
      for (int i = 0; i < n; i++) {
        x[i] += beta[i];
      }
    }
  }

  private static Tensor like(Tensor t, double[] values) {
    return Tensor.empty(t.dtype(), t.shape()).copyFrom(Tensor.wrap(values, t.shape()));
  }

  /** Parameters of f32 beside an input of half the width keep the statistics in f32. */
  static DType statistics(String op, Tensor input, Tensor... parameters) {
    DType dtype = input.dtype();
    boolean half = dtype == DType.F16 || dtype == DType.BF16;
    DType found = null;
    for (Tensor p : parameters) {
      if (p != null) {
        check(
            p.dtype() == dtype || half && p.dtype() == DType.F32,
            op + ": a parameter is " + p.dtype() + " beside an input of " + dtype);
        check(
            found == null || found == p.dtype(),
            op + ": parameters are of both " + found + " and " + p.dtype());
        found = p.dtype();
      }
    }
    return found == null ? dtype : found;
  }

  private record Rows(long count, int length, Shape statistics) {
    static Rows of(String op, Tensor input, long[] shape, Tensor weight, Tensor bias) {
      Refusals.floating(op, input);
      check(shape.length > 0, op + ": normalized_shape must not be empty");
      int leading = input.shape().dims() - shape.length;
      long[] sizes = input.shape().toArray();
      check(
          leading >= 0 && Arrays.equals(shape, Arrays.copyOfRange(sizes, leading, sizes.length)),
          op
              + ": input of shape="
              + input.shape()
              + " does not end in normalized_shape="
              + Arrays.toString(shape));
      for (Tensor p : new Tensor[] {weight, bias}) {
        check(
            p == null || Arrays.equals(p.shape().toArray(), shape),
            op + ": weight and bias must be of shape=" + Arrays.toString(shape));
      }
      long length = Shape.of(shape).elements();
      long count = 1;
      for (int d = 0; d < leading; d++) {
        count *= sizes[d];
      }
      Arrays.fill(sizes, leading, sizes.length, 1);
      return new Rows(count, Math.toIntExact(length), Shape.of(sizes));
    }
  }
}
