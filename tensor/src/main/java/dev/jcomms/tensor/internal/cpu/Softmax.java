package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/** Softmax and its logarithm along one dimension, and what a gradient becomes on its way back. */
public final class Softmax {
  private static final long ELEMENTS_A_THREAD = 1L << 15;

  private Softmax() {}

  public static Tensor softmax(Tensor self, long dim, boolean halfToFloat) {
    return forward("softmax", self, dim, halfToFloat, false);
  }

  public static Tensor logSoftmax(Tensor self, long dim, boolean halfToFloat) {
    return forward("log_softmax", self, dim, halfToFloat, true);
  }

  public static Tensor softmaxBackward(
      Tensor gradOutput, Tensor output, long dim, DType inputDtype) {
    return backward("_softmax_backward_data", gradOutput, output, dim, inputDtype, false);
  }

  public static Tensor logSoftmaxBackward(
      Tensor gradOutput, Tensor output, long dim, DType inputDtype) {
    return backward("_log_softmax_backward_data", gradOutput, output, dim, inputDtype, true);
  }

  private static Tensor forward(
      String op, Tensor self, long dim, boolean halfToFloat, boolean logarithm) {
    Refusals.check(
        !halfToFloat, op + ": half_to_float is not supported on the cpu; convert the input");
    int d = Refusals.dim(op, dim, self.shape().dims());
    Refusals.floatingUnlessEmpty(op, self);
    Tensor in = Dense.of(self);
    Tensor out = Tensor.empty(in.dtype(), in.shape());
    DType dtype = in.dtype();
    Axis axis = Axis.of(in.shape(), d);
    long from = Dense.address(in);
    long to = Dense.address(out);
    lines(
        axis,
        (first, last) -> {
          boolean direct = dtype == DType.F32 && axis.inner() == 1;
          double[] x = new double[direct ? 0 : axis.size()];
          for (long line = first; line < last; line++) {
            long at = axis.start(line) * dtype.bytes();
            if (direct) {
              FloatSoftmax.line(from + at, to + at, axis.size(), logarithm);
              continue;
            }
            Lines.read(from + at, dtype, axis.inner(), x, x.length);
            if (logarithm) {
              logarithms(x, dtype == DType.F64);
            } else {
              shares(x, dtype == DType.F64);
            }
            Lines.write(x, to + at, dtype, axis.inner(), x.length);
          }
        });
    Reference.reachabilityFence(in);
    return out;
  }

  private static void shares(double[] x, boolean wide) {
    double max = max(x);
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      x[i] = wide ? Math.exp(x[i] - max) : Exponential.narrow(x[i] - max);
      sum += x[i];
    }
    double scale = 1 / sum;
    for (int i = 0; i < x.length; i++) {
      x[i] = wide ? x[i] / sum : x[i] * scale;
    }
  }

  private static void logarithms(double[] x, boolean wide) {
    double max = max(x);
    double sum = 0;
    for (double v : x) {
      sum += wide ? Math.exp(v - max) : Exponential.narrow(v - max);
    }
    double log = Math.log(sum);
    for (int i = 0; i < x.length; i++) {
      x[i] = x[i] - max - log;
    }
  }

  private static double max(double[] x) {
    double max = Double.NEGATIVE_INFINITY;
    for (double v : x) {
      max = Math.max(max, v);
    }
    return max;
  }

  private static Tensor backward(
      String op, Tensor gradOutput, Tensor output, long dim, DType inputDtype, boolean logarithm) {
    int d = Refusals.dim(op, dim, output.shape().dims());
    Refusals.floatingUnlessEmpty(op, output);
    Refusals.same(op, "grad_output", gradOutput, "output", output);
    Refusals.check(
        gradOutput.shape().equals(output.shape()),
        op
            + ": grad_output and output must have the same shape, but have "
            + gradOutput.shape()
            + " and "
            + output.shape());
    Tensor grad = Dense.of(gradOutput);
    Tensor result = Dense.of(output);
    Tensor out = Tensor.empty(inputDtype, result.shape());
    DType dtype = result.dtype();
    Axis axis = Axis.of(result.shape(), d);
    long gradAt = Dense.address(grad);
    long resultAt = Dense.address(result);
    long to = Dense.address(out);
    lines(
        axis,
        (first, last) -> {
          double[] g = new double[axis.size()];
          double[] y = new double[axis.size()];
          for (long line = first; line < last; line++) {
            long start = axis.start(line);
            Lines.read(gradAt + start * dtype.bytes(), dtype, axis.inner(), g, g.length);
            Lines.read(resultAt + start * dtype.bytes(), dtype, axis.inner(), y, y.length);
            double sum = logarithm ? Sums.sum(g, g.length) : Sums.dot(g, y, g.length);
            if (logarithm) {
              spread(g, y, sum, dtype == DType.F64);
            } else {
              for (int i = 0; i < g.length; i++) {
                g[i] = (g[i] - sum) * y[i];
              }
            }
            Lines.write(g, to + start * inputDtype.bytes(), inputDtype, axis.inner(), g.length);
          }
        });
    Reference.reachabilityFence(grad);
    Reference.reachabilityFence(result);
    return out;
  }

  private static void spread(double[] g, double[] y, double sum, boolean wide) {
    for (int i = 0; i < g.length; i++) {
      g[i] -= sum * (wide ? Math.exp(y[i]) : Exponential.narrow(y[i]));
    }
  }

  private static void lines(Axis axis, Parallel.Range body) {
    Parallel.run(axis.lines(), Math.max(1, ELEMENTS_A_THREAD / Math.max(1, axis.size())), body);
  }
}
