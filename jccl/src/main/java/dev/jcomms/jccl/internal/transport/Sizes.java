package dev.jcomms.jccl.internal.transport;

import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * A list of sizes as one number, for ranks to compare and to tell: the sizes themselves where they
 * fit into it, a few small ones, else a digest of them.
 *
 * <pre>
 *  bit 63  0       a list: 6 bits how many, 6 bits the width of each, the sizes from bit 0 on
 *          1       a digest
 * </pre>
 */
final class Sizes {
  private static final int MANY_BITS = 6;
  private static final int WIDTH_AT = 51;
  private static final int MANY_AT = WIDTH_AT + MANY_BITS;
  private static final int MASK = (1 << MANY_BITS) - 1;

  private Sizes() {}

  static long of(List<Tensor> tensors) {
    long bits = 0;
    for (Tensor tensor : tensors) {
      bits |= tensor.elements();
    }
    int width = Long.SIZE - Long.numberOfLeadingZeros(bits);
    int many = tensors.size();
    if (many > MASK || many * width > WIDTH_AT) {
      return digest(tensors);
    }
    long list = (long) many << MANY_AT | (long) width << WIDTH_AT;
    for (int i = 0; i < many; i++) {
      list |= tensors.get(i).elements() << i * width;
    }
    return list;
  }

  private static long digest(List<Tensor> tensors) {
    long digest = 1;
    for (Tensor tensor : tensors) {
      digest = digest * 0x9e3779b97f4a7c15L + tensor.elements();
      digest ^= digest >>> 29;
    }
    return digest | Long.MIN_VALUE;
  }

  /** {@code [3, 0, 5]}, or a digest; whatever the number is. */
  static String describe(long sizes) {
    if (sizes < 0) {
      return "#" + Long.toHexString(sizes & Long.MAX_VALUE);
    }
    int many = (int) (sizes >>> MANY_AT) & MASK;
    int width = (int) (sizes >>> WIDTH_AT) & MASK;
    List<Long> list = new ArrayList<>();
    for (int i = 0; i < many && many * width <= WIDTH_AT; i++) {
      list.add(sizes >>> i * width & (1L << width) - 1);
    }
    return list.toString();
  }
}
