package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.Arrays;

/** Pooling over windows of two dimensions: the largest element, or the average. */
public final class Pooling {
  private Pooling() {}

  /** Values, and where each lies in its plane. */
  public static Tensor[] maxPool2d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode) {
    String op = "max_pool2d_with_indices";
    Planes p = Planes.of(op, self, kernelSize, stride, padding, dilation, ceilMode);
    DType dtype = self.dtype();
    if (dtype == DType.BOOL || dtype == DType.F8E4M3 || dtype == DType.F8E5M2) {
      throw Refusals.dtype(op, dtype);
    }
    Tensor in = Dense.of(self);
    Tensor out = Tensor.empty(dtype, p.outShape);
    Tensor indices = Tensor.empty(DType.I64, p.outShape);
    int bytes = dtype.bytes();
    p.each(
        plane -> {
          long from = Dense.address(in) + plane * p.inPlane() * bytes;
          long[] keys = new long[p.inPlane()];
          for (int i = 0; i < keys.length; i++) {
            keys[i] = Sorting.key(dtype, from + (long) i * bytes);
          }
          long at = plane * p.outPlane();
          for (int y = 0; y < p.rows; y++) {
            for (int x = 0; x < p.columns; x++, at++) {
              int best = largest(p, keys, dtype.isFloating(), y, x);
              if (best >= 0) {
                Strided.move(bytes, from + (long) best * bytes, Dense.address(out) + at * bytes);
              } else { // a dilated window may step over a small input
                Deposit.MAX.neutral(dtype, Dense.address(out) + at * bytes);
                best = p.height.firstAt(y) * p.width.size() + p.width.firstAt(x);
              }
              Memory.ALL.set(Strided.LONG, Dense.address(indices) + at * 8, best);
            }
          }
        });
    Reference.reachabilityFence(in);
    return new Tensor[] {out, indices};
  }

  /** The first of the largest; of NaNs, which beat all, the last. */
  private static int largest(Planes p, long[] keys, boolean floating, int y, int x) {
    int best = -1;
    for (int i = 0; i < p.height.length(); i++) {
      int row = p.height.at(y, i);
      if (row < 0 || row >= p.height.size()) {
        continue;
      }
      for (int j = 0; j < p.width.length(); j++) {
        int column = p.width.at(x, j);
        if (column >= 0 && column < p.width.size()) {
          int at = row * p.width.size() + column;
          if (best < 0 || keys[at] > keys[best] || floating && keys[at] == Long.MAX_VALUE) {
            best = at;
          }
        }
      }
    }
    return best;
  }

  public static Tensor maxPool2dBackward(
      Tensor gradOutput,
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode,
      Tensor indices) {
    String op = "max_pool2d_with_indices_backward";
    Planes p = Planes.of(op, self, kernelSize, stride, padding, dilation, ceilMode);
    Refusals.floating(op, self);
    Refusals.same(op, "self", self, "grad_output", gradOutput);
    p.checkOutput(op, gradOutput);
    p.checkOutput(op, indices);
    check(indices.dtype() == DType.I64, op + ": indices must be i64, but are " + indices.dtype());
    Tensor grad = Dense.of(gradOutput);
    Tensor at = Dense.of(indices);
    Tensor out = Tensor.zeros(self.dtype(), self.shape());
    DType dtype = self.dtype();
    int bytes = dtype.bytes();
    p.each(
        plane -> {
          long to = Dense.address(out) + plane * p.inPlane() * bytes;
          for (long i = plane * p.outPlane(); i < (plane + 1) * p.outPlane(); i++) {
            long k = Strided.index(Dense.address(at), i);
            if (k < 0 || k >= p.inPlane()) {
              throw Refusals.outside(op, k, 0, p.inPlane());
            }
            Deposit.ADD.apply(dtype, to + k * bytes, Dense.address(grad) + i * bytes, true);
          }
        });
    Reference.reachabilityFence(grad);
    Reference.reachabilityFence(at);
    return out;
  }

  public static Tensor avgPool2d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      boolean ceilMode,
      boolean countIncludePad,
      Long divisorOverride) {
    String op = "avg_pool2d";
    Planes p = averaged(op, self, kernelSize, stride, padding, ceilMode, divisorOverride);
    if (self.dtype() != DType.I64) {
      Refusals.floating(op, self);
    }
    Tensor in = Dense.of(self);
    Tensor out = Tensor.empty(self.dtype(), p.outShape);
    DType dtype = self.dtype();
    p.each(
        plane -> {
          double[] x = new double[p.inPlane()];
          double[] y = new double[p.outPlane()];
          Lines.read(Dense.address(in) + plane * x.length * dtype.bytes(), dtype, x, x.length);
          for (int at = 0; at < y.length; at++) {
            Patch patch = p.patch(at);
            double sum = 0;
            for (int r = patch.top; r < patch.bottom; r++) {
              for (int c = patch.left; c < patch.right; c++) {
                sum += x[r * p.width.size() + c];
              }
            }
            y[at] = sum / patch.divisor(countIncludePad, divisorOverride);
          }
          Lines.write(y, Dense.address(out) + plane * y.length * dtype.bytes(), dtype, y.length);
        });
    Reference.reachabilityFence(in);
    return out;
  }

  public static Tensor avgPool2dBackward(
      Tensor gradOutput,
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      boolean ceilMode,
      boolean countIncludePad,
      Long divisorOverride) {
    String op = "avg_pool2d_backward";
    Planes p = averaged(op, self, kernelSize, stride, padding, ceilMode, divisorOverride);
    Refusals.floating(op, self);
    Refusals.same(op, "self", self, "grad_output", gradOutput);
    p.checkOutput(op, gradOutput);
    Tensor grad = Dense.of(gradOutput);
    Tensor out = Tensor.empty(self.dtype(), self.shape());
    DType dtype = self.dtype();
    p.each(
        plane -> {
          double[] x = new double[p.inPlane()];
          double[] g = new double[p.outPlane()];
          Lines.read(Dense.address(grad) + plane * g.length * dtype.bytes(), dtype, g, g.length);
          for (int at = 0; at < g.length; at++) {
            Patch patch = p.patch(at);
            double share = g[at] / patch.divisor(countIncludePad, divisorOverride);
            for (int r = patch.top; r < patch.bottom; r++) {
              for (int c = patch.left; c < patch.right; c++) {
                x[r * p.width.size() + c] += share;
              }
            }
          }
          Lines.write(x, Dense.address(out) + plane * x.length * dtype.bytes(), dtype, x.length);
        });
    Reference.reachabilityFence(grad);
    return out;
  }

  private static Planes averaged(
      String op,
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      boolean ceilMode,
      Long divisorOverride) {
    check(divisorOverride == null || divisorOverride != 0, op + ": divisor_override must not be 0");
    return Planes.of(op, self, kernelSize, stride, padding, new long[] {1}, ceilMode);
  }

  /** What a window covers of the input, and how many places it has, padding included. */
  private record Patch(int top, int bottom, int left, int right, long area) {
    double divisor(boolean countIncludePad, Long override) {
      if (override != null) {
        return override;
      }
      return countIncludePad ? area : (double) (bottom - top) * (right - left);
    }
  }

  private interface PlaneTask {
    void run(long plane);
  }

  private record Planes(
      long count, Window height, Window width, int rows, int columns, Shape outShape) {
    static Planes of(
        String op,
        Tensor self,
        long[] kernel,
        long[] stride,
        long[] padding,
        long[] dilation,
        boolean ceil) {
      int dims = self.shape().dims();
      check(
          (dims == 3 || dims == 4)
              && self.shape().size(-1) > 0
              && self.shape().size(-2) > 0
              && self.shape().size(-3) > 0,
          op
              + ": input must have 3 or 4 dims, of which only the batch may be empty, but has shape="
              + self.shape());
      Window[] windows = new Window[2];
      int[] sizes = new int[2];
      for (int d = 0; d < 2; d++) {
        long length = Refusals.at(op, "kernel_size", kernel, d, 2);
        long step = stride.length == 0 ? length : Refusals.at(op, "stride", stride, d, 2);
        long pad = Refusals.at(op, "padding", padding, d, 2);
        long apart = Refusals.at(op, "dilation", dilation, d, 2);
        check(length > 0, op + ": kernel_size=" + Arrays.toString(kernel) + " must be positive");
        check(step > 0, op + ": stride=" + Arrays.toString(stride) + " must be positive");
        check(apart > 0, op + ": dilation=" + Arrays.toString(dilation) + " must be positive");
        check(
            pad >= 0 && pad <= ((length - 1) * apart + 1) / 2,
            op
                + ": padding="
                + Arrays.toString(padding)
                + " must be from 0 to half the window of "
                + ((length - 1) * apart + 1));
        windows[d] =
            Window.over(
                Math.toIntExact(self.shape().size(dims - 2 + d)),
                Math.toIntExact(length),
                Math.toIntExact(step),
                Math.toIntExact(pad),
                Math.toIntExact(apart),
                ceil);
        sizes[d] = windows[d].positions();
        check(
            sizes[d] > 0,
            op + ": a window of " + length + " leaves nothing of shape=" + self.shape());
      }
      long[] out = self.shape().toArray();
      out[dims - 2] = sizes[0];
      out[dims - 1] = sizes[1];
      long planes = self.elements() / (self.shape().size(-1) * self.shape().size(-2));
      return new Planes(planes, windows[0], windows[1], sizes[0], sizes[1], Shape.of(out));
    }

    int inPlane() {
      return Math.multiplyExact(height.size(), width.size());
    }

    int outPlane() {
      return Math.multiplyExact(rows, columns);
    }

    Patch patch(int at) {
      int top = height.at(at / columns, 0);
      int left = width.at(at % columns, 0);
      int bottom = Math.min(top + height.length(), height.size() + height.padding());
      int right = Math.min(left + width.length(), width.size() + width.padding());
      long area = (long) (bottom - top) * (right - left);
      return new Patch(
          Math.max(0, top),
          Math.min(height.size(), bottom),
          Math.max(0, left),
          Math.min(width.size(), right),
          area);
    }

    void checkOutput(String op, Tensor t) {
      check(
          t.shape().equals(outShape),
          op + ": a tensor of shape=" + t.shape() + " must have the output's " + outShape);
    }

    void each(PlaneTask task) {
      Parallel.run(
          count,
          Math.max(1, (1 << 14) / Math.max(1, inPlane())),
          (from, to) -> {
            for (long plane = from; plane < to; plane++) {
              task.run(plane);
            }
          });
    }
  }
}
