package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;

/**
 * The order in which an operator visits the elements of its operands, the result first.
 *
 * <p>Dimensions are sorted so that the smallest steps are the innermost, and neighbours through
 * which every operand steps evenly are joined: operands that are contiguous, or permuted alike, are
 * one run. An element is known by its number in that order. Not changed after it is made.
 */
final class Walk {
  /** Sizes, innermost first; never empty. */
  final long[] sizes;

  /** Of each operand, bytes between neighbours along each dimension. */
  final long[][] steps;

  final long elements;
  private final boolean[] flat;

  private Walk(long[] sizes, long[][] steps, int[] bytes) {
    this.sizes = sizes;
    this.steps = steps;
    this.flat = new boolean[steps.length];
    long count = 1;
    Arrays.fill(flat, true);
    for (int d = 0; d < sizes.length; d++) {
      for (int k = 0; k < steps.length; k++) {
        flat[k] &= sizes[d] == 1 || steps[k][d] == count * bytes[k];
      }
      count *= sizes[d];
    }
    this.elements = count;
  }

  /** Over operands that broadcast to {@code shape}. */
  static Walk of(Shape shape, Tensor... operands) {
    int dims = shape.dims();
    int[] bytes = new int[operands.length];
    long[][] strides = new long[operands.length][];
    for (int k = 0; k < operands.length; k++) {
      bytes[k] = operands[k].dtype().bytes();
      strides[k] = broadcast(operands[k], shape);
    }
    int[] order = order(shape.toArray(), strides);
    long[] sizes = new long[Math.max(1, dims)];
    long[][] steps = new long[operands.length][Math.max(1, dims)];
    sizes[0] = 1;
    int last = -1;
    for (int i = 0; i < dims; i++) {
      int d = order[i];
      long size = shape.size(d);
      if (size == 1) {
        continue;
      }
      if (last >= 0 && joins(sizes[last], steps, last, strides, bytes, d)) {
        sizes[last] *= size;
        continue;
      }
      sizes[++last] = size;
      for (int k = 0; k < operands.length; k++) {
        steps[k][last] = strides[k][d] * bytes[k];
      }
    }
    int kept = Math.max(1, last + 1);
    for (int k = 0; k < operands.length; k++) {
      steps[k] = Arrays.copyOf(steps[k], kept);
    }
    return new Walk(Arrays.copyOf(sizes, kept), steps, bytes);
  }

  private static boolean joins(
      long inner, long[][] steps, int last, long[][] strides, int[] bytes, int d) {
    for (int k = 0; k < steps.length; k++) {
      if (strides[k][d] * bytes[k] != steps[k][last] * inner) {
        return false;
      }
    }
    return true;
  }

  /** Strides of an operand along the dimensions of a shape that it broadcasts to. */
  static long[] broadcast(Tensor t, Shape shape) {
    long[] own = t.strides();
    int added = shape.dims() - own.length;
    long[] strides = new long[shape.dims()];
    for (int d = 0; d < own.length; d++) {
      strides[added + d] = t.shape().size(d) == 1 ? 0 : own[d];
    }
    return strides;
  }

  /**
   * Dimensions from the innermost to the outermost, as PyTorch orders them: by the strides of the
   * first operand that tells two apart, else as they are.
   */
  static int[] order(long[] sizes, long[][] strides) {
    int dims = sizes.length;
    int[] order = new int[dims];
    for (int i = 0; i < dims; i++) {
      order[i] = dims - 1 - i;
    }
    for (int i = 1; i < dims; i++) {
      int at = i;
      for (int j = i - 1; j >= 0; j--) {
        int c = compare(order[j], order[at], sizes, strides);
        if (c < 0) {
          break;
        }
        if (c > 0) {
          int moved = order[j];
          order[j] = order[at];
          order[at] = moved;
          at = j;
        }
      }
    }
    return order;
  }

  private static int compare(int d, int e, long[] sizes, long[][] strides) {
    for (long[] stride : strides) {
      if (stride[d] == 0 || stride[e] == 0) {
        continue;
      }
      if (stride[d] != stride[e]) {
        return stride[d] < stride[e] ? -1 : 1;
      }
      if (sizes[d] > sizes[e]) {
        return 1;
      }
    }
    return 0;
  }

  /** Whether an operand's elements lie one after the other in this order. */
  boolean isFlat(int operand) {
    return flat[operand];
  }

  /** Bytes from an operand's first element to one of this number. */
  long offset(int operand, long number) {
    long[] step = steps[operand];
    long rest = number;
    long offset = 0;
    for (int d = 0; d < sizes.length - 1; d++) {
      offset += rest % sizes[d] * step[d];
      rest /= sizes[d];
    }
    return offset + rest * step[sizes.length - 1];
  }
}
