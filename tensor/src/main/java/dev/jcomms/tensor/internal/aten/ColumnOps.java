package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/** Windows of images as columns of matrices, and back. */
final class ColumnOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ColumnOps() {}

  static void define(Definitions d) {
    d.op(
            "im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2]"
                + " stride) -> Tensor")
        .composite(LOOKUP, "im2col")
        .exactOut("out");
    d.op(
            "col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation,"
                + " int[2] padding, int[2] stride) -> Tensor")
        .composite(LOOKUP, "col2im")
        .exactOut("out");
  }

  static Tensor im2col(Tensor self, long[] kernel, long[] dilation, long[] padding, long[] stride) {
    String op = "im2col";
    int dims = self.shape().dims();
    if (dims != 3 && dims != 4) {
      throw new IllegalArgumentException(op + ": needs images, but has shape=" + self.shape());
    }
    Tensor x = dims == 3 ? Ops.unsqueeze(self, 0) : self;
    Windows.requireSome(op, x, 1);
    long[] sizes = x.shape().toArray();
    long[][] grid = grid(op, sizes[2], sizes[3], kernel, dilation, padding, stride);
    long rows = grid[0].length / kernel[0];
    long columns = grid[1].length / kernel[1];
    Tensor wide =
        Ops.constantPadNd(
            x, new long[] {padding[1], padding[1], padding[0], padding[0]}, Scalar.ZERO);
    Tensor taken = Ops.indexSelect(wide, 2, Tensor.of(grid[0]).to(x.device()));
    taken = Ops.indexSelect(taken, 3, Tensor.of(grid[1]).to(x.device()));
    Tensor parts = Ops.reshape(taken, sizes[0], sizes[1], kernel[0], rows, kernel[1], columns);
    Tensor out =
        Ops.reshape(
            Ops.permute(parts, 0, 1, 2, 4, 3, 5),
            sizes[0],
            sizes[1] * kernel[0] * kernel[1],
            rows * columns);
    return dims == 3 ? Ops.squeeze(out, 0) : out;
  }

  static Tensor col2im(
      Tensor self, long[] size, long[] kernel, long[] dilation, long[] padding, long[] stride) {
    String op = "col2im";
    int dims = self.shape().dims();
    if (dims != 2 && dims != 3 || size.length != 2 || kernel.length != 2) {
      throw new IllegalArgumentException(op + ": needs columns, but has shape=" + self.shape());
    }
    Tensor x = dims == 2 ? Ops.unsqueeze(self, 0) : self;
    Windows.requireSome(op, x, 1);
    long[][] grid = grid(op, size[0], size[1], kernel, dilation, padding, stride);
    long rows = grid[0].length / kernel[0];
    long columns = grid[1].length / kernel[1];
    long channels = x.shape().size(1) / (kernel[0] * kernel[1]);
    if (x.shape().size(1) % (kernel[0] * kernel[1]) != 0 || x.shape().size(2) != rows * columns) {
      throw new IllegalArgumentException(
          op
              + ": columns of shape="
              + self.shape()
              + " do not make output_size="
              + Arrays.toString(size));
    }
    long batch = x.shape().size(0);
    long height = size[0] + 2 * padding[0];
    long width = size[1] + 2 * padding[1];
    Tensor parts = Ops.reshape(x, batch, channels, kernel[0], kernel[1], rows, columns);
    Tensor ordered =
        Ops.reshape(
            Ops.permute(parts, 0, 1, 2, 4, 3, 5), batch, channels, grid[0].length, grid[1].length);
    Tensor tall =
        Ops.zeros(new long[] {batch, channels, height, grid[1].length}, x.dtype(), x.device());
    tall = Ops.indexAdd(tall, 2, Tensor.of(grid[0]).to(x.device()), ordered, Scalar.ONE);
    Tensor sum = Ops.zeros(new long[] {batch, channels, height, width}, x.dtype(), x.device());
    sum = Ops.indexAdd(sum, 3, Tensor.of(grid[1]).to(x.device()), tall, Scalar.ONE);
    Tensor out =
        Ops.constantPadNd(
            sum, new long[] {-padding[1], -padding[1], -padding[0], -padding[0]}, Scalar.ZERO);
    return dims == 2 ? Ops.squeeze(out, 0) : out;
  }

  /** For both dims the padded place of each kernel row at each position. */
  private static long[][] grid(
      String op,
      long height,
      long width,
      long[] kernel,
      long[] dilation,
      long[] padding,
      long[] stride) {
    long[] sizes = {height, width};
    long[][] grid = new long[2][];
    for (long[] list : new long[][] {kernel, dilation, padding, stride}) {
      if (list.length != 2) {
        throw new IllegalArgumentException(op + ": windows have two dims, not " + list.length);
      }
    }
    for (int d = 0; d < 2; d++) {
      if (kernel[d] <= 0 || dilation[d] <= 0 || stride[d] <= 0 || padding[d] < 0) {
        throw new IllegalArgumentException(
            op + ": kernel_size, dilation and stride must be above 0, padding not below");
      }
      long positions =
          Math.floorDiv(sizes[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1, stride[d])
              + 1;
      if (positions < 1) {
        throw new IllegalArgumentException(
            op + ": a window of " + kernel[d] + " does not fit into " + sizes[d]);
      }
      grid[d] = new long[Math.toIntExact(kernel[d] * positions)];
      for (int i = 0; i < grid[d].length; i++) {
        grid[d][i] = i / positions * dilation[d] + i % positions * stride[d];
      }
    }
    return grid;
  }
}
