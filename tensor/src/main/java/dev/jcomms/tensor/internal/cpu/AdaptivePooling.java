package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/** Averages over as many windows as the output is to have, which may overlap by an element. */
public final class AdaptivePooling {
  private AdaptivePooling() {}

  public static Tensor forward(Tensor self, long[] outputSize) {
    String op = "_adaptive_avg_pool2d";
    check(outputSize.length == 2, op + ": output_size must have 2 numbers");
    check(outputSize[0] >= 0 && outputSize[1] >= 0, op + ": output_size must not be negative");
    planes(op, self);
    Refusals.floating(op, self);
    int dims = self.shape().dims();
    long[] sizes = self.shape().toArray();
    int height = Math.toIntExact(sizes[dims - 2]);
    int width = Math.toIntExact(sizes[dims - 1]);
    int rows = Math.toIntExact(outputSize[0]);
    int columns = Math.toIntExact(outputSize[1]);
    sizes[dims - 2] = rows;
    sizes[dims - 1] = columns;
    Tensor in = Dense.of(self);
    Tensor out = Tensor.empty(self.dtype(), Shape.of(sizes));
    DType dtype = self.dtype();
    double[] x = new double[height * width];
    double[] y = new double[rows * columns];
    for (long plane = 0; plane < self.elements() / x.length; plane++) {
      Lines.read(Dense.address(in) + plane * x.length * dtype.bytes(), dtype, x, x.length);
      for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
          int top = start(r, rows, height);
          int bottom = end(r, rows, height);
          int left = start(c, columns, width);
          int right = end(c, columns, width);
          double sum = 0;
          for (int i = top; i < bottom; i++) {
            for (int j = left; j < right; j++) {
              sum += x[i * width + j];
            }
          }
          y[r * columns + c] = sum / (bottom - top) / (right - left);
        }
      }
      Lines.write(y, Dense.address(out) + plane * y.length * dtype.bytes(), dtype, y.length);
    }
    Reference.reachabilityFence(in);
    Reference.reachabilityFence(out);
    return out;
  }

  public static Tensor backward(Tensor gradOutput, Tensor self) {
    String op = "_adaptive_avg_pool2d_backward";
    planes(op, self);
    Refusals.floating(op, self);
    Refusals.same(op, "self", self, "grad_output", gradOutput);
    int dims = self.shape().dims();
    check(
        gradOutput.shape().dims() == dims,
        op + ": grad_output is " + gradOutput.shape() + ", but self is " + self.shape());
    int height = Math.toIntExact(self.shape().size(-2));
    int width = Math.toIntExact(self.shape().size(-1));
    int rows = Math.toIntExact(gradOutput.shape().size(-2));
    int columns = Math.toIntExact(gradOutput.shape().size(-1));
    Tensor grad = Dense.of(gradOutput);
    Tensor out = Tensor.empty(self.dtype(), self.shape());
    DType dtype = self.dtype();
    double[] x = new double[height * width];
    double[] g = new double[rows * columns];
    for (long plane = 0; plane < self.elements() / x.length; plane++) {
      java.util.Arrays.fill(x, 0);
      Lines.read(Dense.address(grad) + plane * g.length * dtype.bytes(), dtype, g, g.length);
      for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
          int top = start(r, rows, height);
          int bottom = end(r, rows, height);
          int left = start(c, columns, width);
          int right = end(c, columns, width);
          double share = g[r * columns + c] / (bottom - top) / (right - left);
          for (int i = top; i < bottom; i++) {
            for (int j = left; j < right; j++) {
              x[i * width + j] += share;
            }
          }
        }
      }
      Lines.write(x, Dense.address(out) + plane * x.length * dtype.bytes(), dtype, x.length);
    }
    Reference.reachabilityFence(grad);
    Reference.reachabilityFence(out);
    return out;
  }

  private static void planes(String op, Tensor self) {
    int dims = self.shape().dims();
    check(
        (dims == 3 || dims == 4) && self.shape().size(-1) > 0 && self.shape().size(-2) > 0,
        op
            + ": input must be of 3 or 4 dims with planes that are not empty, but is "
            + self.shape());
  }

  private static int start(int i, int outputs, int inputs) {
    return (int) ((long) i * inputs / outputs);
  }

  private static int end(int i, int outputs, int inputs) {
    return (int) (((i + 1L) * inputs + outputs - 1) / outputs);
  }
}
