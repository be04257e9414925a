package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Tensor;
import java.util.Arrays;

/** Which memory operands share, and what is refused for it: what PyTorch refuses. */
public final class Overlap {
  private Overlap() {}

  /** Refuses to write where several elements are one and the same memory. */
  public static void refuseInside(Tensor out) {
    if (out.isContiguous()) {
      return;
    }
    long[] strides = out.strides();
    for (int d = 0; d < strides.length; d++) {
      if (strides[d] == 0 && out.shape().size(d) > 1 && out.elements() > 0) {
        throw new IllegalArgumentException(
            "more than one element of the written-to tensor refers to a single memory location: "
                + facts(out)
                + "; copy() it first");
      }
    }
  }

  /** Refuses an operand of which some, but not the same, elements are those written to. */
  public static void refusePartial(Tensor out, Tensor in) {
    if (meet(out, in) && !isSame(out, in) && isDense(out) && isDense(in)) {
      throw new IllegalArgumentException(
          "some elements of the input tensor and the written-to tensor refer to a single memory"
              + " location: written to "
              + facts(out)
              + ", input "
              + facts(in)
              + "; copy() the input first");
    }
  }

  /** Whether writing one may change the other in another place; true is the safe answer. */
  static boolean isHarmful(Tensor out, Tensor in) {
    return meet(out, in) && !isSame(out, in);
  }

  private static boolean isSame(Tensor a, Tensor b) {
    return a.dtype().bytes() == b.dtype().bytes()
        && a.storage().segment().address() + a.offset() * a.dtype().bytes()
            == b.storage().segment().address() + b.offset() * b.dtype().bytes()
        && a.shape().equals(b.shape())
        && (a.isContiguous() && b.isContiguous() || Arrays.equals(a.strides(), b.strides()));
  }

  private static boolean meet(Tensor a, Tensor b) {
    if (a.elements() == 0
        || b.elements() == 0
        || a.storage() != b.storage()
            && a.storage().segment().asOverlappingSlice(b.storage().segment()).isEmpty()) {
      return false;
    }
    long aStart = a.storage().segment().address() + a.offset() * a.dtype().bytes();
    long bStart = b.storage().segment().address() + b.offset() * b.dtype().bytes();
    return aStart < bStart + span(b) && bStart < aStart + span(a);
  }

  private static long span(Tensor t) {
    if (t.isContiguous()) {
      return t.bytes();
    }
    long reach = 1;
    long[] strides = t.strides();
    for (int d = 0; d < strides.length; d++) {
      reach += (t.shape().size(d) - 1) * strides[d];
    }
    return reach * t.dtype().bytes();
  }

  /** Whether the elements, in whatever order, fill their memory without holes or sharing. */
  private static boolean isDense(Tensor t) {
    if (t.isContiguous()) {
      return true;
    }
    long[] strides = t.strides();
    Integer[] dims = new Integer[strides.length];
    Arrays.setAll(dims, d -> d);
    Arrays.sort(dims, (d, e) -> Long.compare(strides[d], strides[e]));
    long expected = 1;
    for (int d : dims) {
      long size = t.shape().size(d);
      if (size != 1) {
        if (strides[d] != expected) {
          return false;
        }
        expected *= size;
      }
    }
    return true;
  }

  private static String facts(Tensor t) {
    return t.dtype() + " shape=" + t.shape() + " strides=" + Arrays.toString(t.strides());
  }
}
