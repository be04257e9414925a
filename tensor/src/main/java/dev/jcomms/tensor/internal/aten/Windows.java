package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;

/** What the windows of a pooling cover. */
final class Windows {
  private Windows() {}

  /** By dim and window: the places that it covers, -1 for padding. */
  static long[][][] of(
      String op,
      Tensor self,
      int dims,
      long[] kernel,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceil) {
    requireImage(op, self, dims);
    long[][][] taken = new long[dims][][];
    for (int d = 0; d < dims; d++) {
      long length = at(op, "kernel_size", kernel, d, dims);
      long step = stride.length == 0 ? length : at(op, "stride", stride, d, dims);
      long pad = at(op, "padding", padding, d, dims);
      long apart = at(op, "dilation", dilation, d, dims);
      long size = self.shape().size(self.shape().dims() - dims + d);
      if (length <= 0
          || step <= 0
          || apart <= 0
          || pad < 0
          || pad > ((length - 1) * apart + 1) / 2) {
        throw new IllegalArgumentException(
            op
                + ": kernel_size, stride and dilation must be above 0, padding from 0 to half a"
                + " window, but are "
                + Arrays.toString(kernel)
                + ", "
                + Arrays.toString(stride)
                + ", "
                + Arrays.toString(dilation)
                + " and "
                + Arrays.toString(padding));
      }
      long room = size + 2 * pad - apart * (length - 1) - 1;
      long positions = Math.floorDiv(room + (ceil ? step - 1 : 0), step) + 1;
      if (ceil && (positions - 1) * step >= size + pad) {
        positions--; // the last window must start inside
      }
      if (positions < 1) {
        throw new IllegalArgumentException(
            op + ": a window of " + length + " leaves nothing of shape=" + self.shape());
      }
      taken[d] = new long[Math.toIntExact(positions)][Math.toIntExact(length)];
      for (int i = 0; i < taken[d].length; i++) {
        for (int j = 0; j < length; j++) {
          long place = i * step - pad + j * apart;
          taken[d][i][j] = place < size ? Math.max(-1, place) : -1;
        }
      }
    }
    return taken;
  }

  /** Windows that share a dim evenly; shorter ones are filled up with nothing. */
  static long[][][] even(String op, Tensor self, int dims, long[] out) {
    requireImage(op, self, dims);
    if (out.length != dims) {
      throw new IllegalArgumentException(
          op + ": output_size must have " + dims + " numbers, but has " + out.length);
    }
    long[][][] taken = new long[dims][][];
    for (int d = 0; d < dims; d++) {
      long size = self.shape().size(self.shape().dims() - dims + d);
      if (out[d] < 0) {
        throw new IllegalArgumentException(op + ": output_size must not be negative");
      }
      int longest = 1;
      for (long i = 0; i < out[d]; i++) {
        longest = Math.max(longest, (int) (last(i, out[d], size) - i * size / out[d]));
      }
      taken[d] = new long[Math.toIntExact(out[d])][longest];
      for (int i = 0; i < out[d]; i++) {
        for (int j = 0; j < longest; j++) {
          long place = i * size / out[d] + j;
          taken[d][i][j] = place < last(i, out[d], size) ? place : -1;
        }
      }
    }
    return taken;
  }

  private static long last(long i, long out, long size) {
    return ((i + 1) * size + out - 1) / out;
  }

  static void requireImage(String op, Tensor self, int dims) {
    int given = self.shape().dims();
    if (given != dims + 1 && given != dims + 2) {
      throw new IllegalArgumentException(
          op
              + ": input must have "
              + (dims + 1)
              + " or "
              + (dims + 2)
              + " dims, but has shape="
              + self.shape());
    }
    requireSome(op, self, given - dims - (given == dims + 2 ? 1 : 0));
    if (self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for bool");
    }
  }

  private static long at(String op, String name, long[] list, int d, int dims) {
    if (list.length != 1 && list.length != dims) {
      throw new IllegalArgumentException(
          op + ": " + name + " must have 1 or " + dims + " numbers, but has " + list.length);
    }
    return list.length == 1 ? list[0] : list[d];
  }

  /** Refuses empty dims, from one on. */
  static void requireSome(String op, Tensor x, int from) {
    for (int d = from; d < x.shape().dims(); d++) {
      if (x.shape().size(d) == 0) {
        throw new IllegalArgumentException(
            op + ": only the batch may be empty, but shape=" + x.shape());
      }
    }
  }
}
