package dev.jcomms.tensor;

import dev.jcomms.tensor.internal.Elements;
import dev.jcomms.tensor.internal.PairWalk;
import dev.jcomms.tensor.internal.Runs;
import dev.jcomms.tensor.internal.Transfers;
import dev.jcomms.tensor.internal.Views;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Writes many elements: copies between tensors, conversion between dtypes, fills. */
final class Copies {
  private Copies() {}

  static void copy(Tensor dst, Tensor src) {
    if (dst.storage().isOpaque() || src.storage().isOpaque()) {
      Transfers.copy(dst, src);
    } else {
      onHost(dst, src);
    }
  }

  /** Between two tensors that Java can touch. */
  static void onHost(Tensor dst, Tensor src) {
    MemorySegment to = dst.writable("copyFrom");
    MemorySegment from = src.readable("copyFrom");
    if (dst.dtype() == src.dtype()
        && dst.isContiguous()
        && src.isContiguous()
        && dst.shape().equals(src.shape())) {
      MemorySegment.copy(src.segment(), 0, dst.segment(), 0, dst.bytes()); // overlap is safe here
    } else {
      refuseSharedElements(dst);
      Tensor seen = overlap(dst, src) ? src.copy() : src;
      strided(
          dst, to, Views.expand(seen, dst.shape().sizes()), seen == src ? from : seen.segment());
    }
    Reference.reachabilityFence(dst);
    Reference.reachabilityFence(src);
  }

  private static void strided(Tensor dst, MemorySegment to, Tensor src, MemorySegment from) {
    PairWalk.walk(
        dst.shape().sizes(),
        src.ownStrides(),
        src.offset(),
        dst.ownStrides(),
        dst.offset(),
        src.dtype() == dst.dtype()
            ? mover(from, to, src.dtype().bytes())
            : converter(from, src.dtype(), to, dst.dtype()));
  }

  private static PairWalk.Run mover(MemorySegment from, MemorySegment to, int bytes) {
    return (a, aStep, b, bStep, n) -> {
      Runs.move(from, a * bytes, aStep * bytes, to, b * bytes, bStep * bytes, bytes, n);
      return true;
    };
  }

  private static PairWalk.Run converter(
      MemorySegment from, DType src, MemorySegment to, DType dst) {
    double[] doubles = src.isFloating() ? new double[Runs.BLOCK] : null;
    long[] longs = src.isFloating() ? null : new long[Runs.BLOCK];
    int in = src.bytes();
    int out = dst.bytes();
    boolean throughInt = src != DType.F64 && Elements.isSignedWithinInt(dst);
    return (a, aStep, b, bStep, count) -> {
      for (long i = 0; i < count; i += Runs.BLOCK) {
        int n = (int) Math.min(Runs.BLOCK, count - i);
        long readAt = (a + i * aStep) * in;
        long writeAt = (b + i * bStep) * out;
        if (longs == null) {
          Runs.read(from, src, readAt, aStep * in, doubles, n);
          if (throughInt) {
            clampToInt(doubles, n);
          }
          Runs.write(to, dst, writeAt, bStep * out, doubles, n);
        } else {
          Runs.read(from, src, readAt, aStep * in, longs, n);
          Runs.write(to, dst, writeAt, bStep * out, longs, n);
        }
      }
      return true;
    };
  }

  private static void clampToInt(double[] numbers, int n) {
    for (int i = 0; i < n; i++) {
      numbers[i] = (int) numbers[i];
    }
  }

  static void fill(Tensor t, double value) {
    if (t.storage().isOpaque()) {
      Transfers.fill(t, Tensor.scalar(t.dtype(), value));
      return;
    }
    MemorySegment to = t.writable("fill");
    if (t.elements() == 0) {
      return;
    }
    Elements.putDouble(to, t.dtype(), t.offset() * t.dtype().bytes(), value);
    spread(t, to);
  }

  static void fill(Tensor t, long value) {
    if (t.storage().isOpaque()) {
      Transfers.fill(t, Tensor.scalar(t.dtype(), value));
      return;
    }
    MemorySegment to = t.writable("fill");
    if (t.elements() == 0) {
      return;
    }
    Elements.putLong(to, t.dtype(), t.offset() * t.dtype().bytes(), value);
    spread(t, to);
  }

  /** Copies the first element to all others: by doubling where the tensor is one run. */
  private static void spread(Tensor t, MemorySegment to) {
    if (!t.isContiguous()) {
      Tensor first = t.view(Shape.scalar(), new long[0], t.offset()).copy();
      strided(t, to, Views.expand(first, t.shape().sizes()), first.segment());
    } else {
      MemorySegment all = t.segment();
      for (long done = t.dtype().bytes(); done < t.bytes(); done *= 2) {
        MemorySegment.copy(all, 0, all, done, Math.min(done, t.bytes() - done));
      }
    }
    Reference.reachabilityFence(t);
  }

  private static void refuseSharedElements(Tensor dst) {
    for (int d = 0; d < dst.shape().dims(); d++) {
      if (dst.ownStrides()[d] == 0 && dst.shape().sizes()[d] > 1 && dst.elements() > 0) {
        throw new IllegalArgumentException(
            "copyFrom: several elements of the target share memory: "
                + dst.facts()
                + "; copy() it first");
      }
    }
  }

  /** Whether writing one may change the other; true is the safe answer. */
  private static boolean overlap(Tensor a, Tensor b) {
    return a.elements() > 0 && b.elements() > 0 && span(a).asOverlappingSlice(span(b)).isPresent();
  }

  private static MemorySegment span(Tensor t) {
    if (t.isContiguous()) {
      return t.segment();
    }
    int bytes = t.dtype().bytes();
    return t.storage().segment().asSlice(t.offset() * bytes, (t.reach() + 1) * bytes);
  }
}
