package dev.jcomms.examples.tiny;

import static dev.jcomms.examples.tiny.TinyChip.load;
import static dev.jcomms.examples.tiny.TinyChip.serves;
import static dev.jcomms.examples.tiny.TinyChip.store;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Fallbacks;
import dev.jcomms.tensor.dispatch.Implements;
import java.util.Arrays;

/**
 * The chip's kernels: static methods of the schemas' Java types. Their tensors are all on the chip,
 * for the dispatcher has seen to that. What the chip cannot do, another dtype or a rare shape, it
 * hands to the cpu; so is every mistake, which the cpu then refuses in the right words.
 *
 * <p>In-place and {@code out=} forms, overloads that take numbers and composites are made of these.
 */
final class TinyKernels {
  private TinyKernels() {}

  // ---- element by element

  @Implements("fill_.Scalar")
  static Tensor fill(Tensor self, Scalar value) {
    if (!serves(self) || !self.isContiguous()) {
      return (Tensor) Fallbacks.onCpu("aten::fill_.Scalar", self, value);
    }
    float[] values = new float[(int) self.elements()];
    Arrays.fill(values, (float) value.toDouble());
    TinyChip.write(self, values);
    return self;
  }

  @Implements("neg")
  static Tensor neg(Tensor self) {
    return serves(self) ? map(self, x -> -x) : (Tensor) Fallbacks.onCpu("aten::neg", self);
  }

  @Implements("exp")
  static Tensor exp(Tensor self) {
    return serves(self)
        ? map(self, x -> (float) Math.exp(x))
        : (Tensor) Fallbacks.onCpu("aten::exp", self);
  }

  @Implements("relu")
  static Tensor relu(Tensor self) {
    return serves(self)
        ? map(self, x -> x <= 0 ? 0 : x) // NaN stays
        : (Tensor) Fallbacks.onCpu("aten::relu", self);
  }

  @Implements("threshold_backward")
  static Tensor thresholdBackward(Tensor gradOutput, Tensor self, Scalar threshold) {
    if (!serves(gradOutput, self) || !gradOutput.shape().equals(self.shape())) {
      return (Tensor) Fallbacks.onCpu("aten::threshold_backward", gradOutput, self, threshold);
    }
    float bound = (float) threshold.toDouble();
    return zip(gradOutput, self, (g, x) -> x <= bound ? 0 : g);
  }

  @Implements("add.Tensor")
  static Tensor add(Tensor self, Tensor other, Scalar alpha) {
    if (!together(self, other) || alpha.isBoolean()) {
      return (Tensor) Fallbacks.onCpu("aten::add.Tensor", self, other, alpha);
    }
    float factor = (float) alpha.toDouble();
    return zip(self, other, (a, b) -> a + factor * b);
  }

  @Implements("sub.Tensor")
  static Tensor sub(Tensor self, Tensor other, Scalar alpha) {
    if (!together(self, other) || alpha.isBoolean()) {
      return (Tensor) Fallbacks.onCpu("aten::sub.Tensor", self, other, alpha);
    }
    float factor = (float) alpha.toDouble();
    return zip(self, other, (a, b) -> a - factor * b);
  }

  @Implements("mul.Tensor")
  static Tensor mul(Tensor self, Tensor other) {
    return together(self, other)
        ? zip(self, other, (a, b) -> a * b)
        : (Tensor) Fallbacks.onCpu("aten::mul.Tensor", self, other);
  }

  @Implements("div.Tensor")
  static Tensor div(Tensor self, Tensor other) {
    return together(self, other)
        ? zip(self, other, (a, b) -> a / b)
        : (Tensor) Fallbacks.onCpu("aten::div.Tensor", self, other);
  }

  // ---- matrices

  @Implements("mm")
  static Tensor mm(Tensor self, Tensor mat2) {
    if (!matrices(self, mat2)) {
      return (Tensor) Fallbacks.onCpu("aten::mm", self, mat2);
    }
    return product(self, mat2);
  }

  @Implements("addmm")
  static Tensor addmm(Tensor self, Tensor mat1, Tensor mat2, Scalar beta, Scalar alpha) {
    boolean plain = beta.equals(Scalar.ONE) && alpha.equals(Scalar.ONE);
    if (!plain || !serves(self) || !matrices(mat1, mat2) || self.shape().dims() > 2) {
      return (Tensor) Fallbacks.onCpu("aten::addmm", self, mat1, mat2, beta, alpha);
    }
    Tensor product = product(mat1, mat2);
    Tensor bias = Ops.expand(self, product.shape().toArray()); // refuses what does not fit
    return zip(bias, product, (b, p) -> b + p);
  }

  private static Tensor product(Tensor left, Tensor right) {
    int rows = (int) left.shape().size(0);
    int inner = (int) left.shape().size(1);
    int columns = (int) right.shape().size(1);
    float[] a = load(left);
    float[] b = load(right);
    float[] c = new float[rows * columns];
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < inner; k++) {
        for (int j = 0; j < columns; j++) {
          c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
        }
      }
    }
    return store(c, new long[] {rows, columns}, left.device());
  }

  // ---- reductions

  @Implements("sum")
  static Tensor sum(Tensor self, DType dtype) {
    if (!serves(self) || dtype != null && dtype != DType.F32) {
      return (Tensor) Fallbacks.onCpu("aten::sum", self, dtype);
    }
    double total = 0;
    for (float x : load(self)) {
      total += x;
    }
    return store(new float[] {(float) total}, new long[0], self.device());
  }

  /** The columns of a matrix, as the gradient of a bias wants them. */
  @Implements("sum.dim_IntList")
  static Tensor sumOfDims(Tensor self, long[] dim, boolean keepdim, DType dtype) {
    boolean columns = dim != null && dim.length == 1 && dim[0] == 0 && self.shape().dims() == 2;
    if (!columns || !serves(self) || dtype != null && dtype != DType.F32) {
      return (Tensor) Fallbacks.onCpu("aten::sum.dim_IntList", self, dim, keepdim, dtype);
    }
    int width = (int) self.shape().size(1);
    double[] totals = new double[width];
    float[] x = load(self);
    for (int i = 0; i < x.length; i++) {
      totals[i % width] += x[i];
    }
    float[] sums = new float[width];
    for (int j = 0; j < width; j++) {
      sums[j] = (float) totals[j];
    }
    return store(sums, keepdim ? new long[] {1, width} : new long[] {width}, self.device());
  }

  // ---- the end of a classifier, forwards and backwards

  @Implements("_log_softmax")
  static Tensor logSoftmax(Tensor self, long dim, boolean halfToFloat) {
    if (!rows(self, dim) || halfToFloat) {
      return (Tensor) Fallbacks.onCpu("aten::_log_softmax", self, dim, halfToFloat);
    }
    int width = (int) self.shape().size(1);
    float[] x = load(self);
    for (int row = 0; row < x.length; row += width) {
      float most = Float.NEGATIVE_INFINITY;
      for (int j = row; j < row + width; j++) {
        most = Math.max(most, x[j]);
      }
      double total = 0;
      for (int j = row; j < row + width; j++) {
        total += Math.exp(x[j] - most);
      }
      for (int j = row; j < row + width; j++) {
        x[j] = (float) (x[j] - most - Math.log(total));
      }
    }
    return store(x, self.shape().toArray(), self.device());
  }

  @Implements("_log_softmax_backward_data")
  static Tensor logSoftmaxBackward(Tensor gradOutput, Tensor output, long dim, DType inputDtype) {
    if (!rows(output, dim) || !serves(gradOutput) || inputDtype != DType.F32) {
      return (Tensor)
          Fallbacks.onCpu("aten::_log_softmax_backward_data", gradOutput, output, dim, inputDtype);
    }
    int width = (int) output.shape().size(1);
    float[] g = load(gradOutput);
    float[] y = load(output);
    for (int row = 0; row < g.length; row += width) {
      double total = 0;
      for (int j = row; j < row + width; j++) {
        total += g[j];
      }
      for (int j = row; j < row + width; j++) {
        g[j] -= (float) (Math.exp(y[j]) * total);
      }
    }
    return store(g, output.shape().toArray(), output.device());
  }

  // ---- what the chip can take

  private static boolean matrices(Tensor a, Tensor b) {
    return serves(a, b)
        && a.shape().dims() == 2
        && b.shape().dims() == 2
        && a.shape().size(1) == b.shape().size(0);
  }

  private static boolean rows(Tensor t, long dim) {
    return serves(t) && t.shape().dims() == 2 && (dim == 1 || dim == -1) && t.shape().size(1) > 0;
  }

  private static boolean together(Tensor a, Tensor b) {
    return serves(a, b) && broadcast(a, b) != null;
  }

  /** The shape that two tensors have in common; null if there is none. */
  private static long[] broadcast(Tensor a, Tensor b) {
    int dims = Math.max(a.shape().dims(), b.shape().dims());
    long[] sizes = new long[dims];
    for (int d = 1; d <= dims; d++) {
      long one = d <= a.shape().dims() ? a.shape().size(a.shape().dims() - d) : 1;
      long two = d <= b.shape().dims() ? b.shape().size(b.shape().dims() - d) : 1;
      if (one != two && one != 1 && two != 1) {
        return null;
      }
      sizes[dims - d] = one == 1 ? two : one;
    }
    return sizes;
  }

  private interface Unary {
    float of(float x);
  }

  private interface Binary {
    float of(float a, float b);
  }

  private static Tensor map(Tensor t, Unary function) {
    float[] x = load(t);
    for (int i = 0; i < x.length; i++) {
      x[i] = function.of(x[i]);
    }
    return store(x, t.shape().toArray(), t.device());
  }

  private static Tensor zip(Tensor left, Tensor right, Binary function) {
    long[] sizes = broadcast(left, right);
    float[] a = load(Ops.expand(left, sizes));
    float[] b = load(Ops.expand(right, sizes));
    for (int i = 0; i < a.length; i++) {
      a[i] = function.of(a[i], b[i]);
    }
    return store(a, sizes, left.device());
  }
}
