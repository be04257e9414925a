package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.PairWalk;
import dev.jcomms.tensor.internal.Runs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.function.Consumer;

/** Moving elements as they are, whatever their dtype means. */
final class Strided {
  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private Strided() {}

  /** Copies one element of 1, 2, 4 or 8 bytes. */
  static void move(int bytes, long from, long to) {
    switch (bytes) {
      case 8 -> Memory.ALL.set(LONG, to, Memory.ALL.get(LONG, from));
      case 4 -> Memory.ALL.set(INT, to, Memory.ALL.get(INT, from));
      case 2 -> Memory.ALL.set(SHORT, to, Memory.ALL.get(SHORT, from));
      default -> Memory.ALL.set(BYTE, to, Memory.ALL.get(BYTE, from));
    }
  }

  static void copy(long from, long to, long bytes) {
    MemorySegment.copy(Memory.ALL, from, Memory.ALL, to, bytes);
  }

  /** Copies a whole layout to another; strides, in elements, may be negative. */
  static void copy(long[] sizes, long from, long[] fromSteps, long to, long[] toSteps, int bytes) {
    PairWalk.walk(
        sizes,
        fromSteps,
        0,
        toSteps,
        0,
        (a, aStep, b, bStep, n) -> {
          Runs.move(
              Memory.ALL,
              from + a * bytes,
              aStep * bytes,
              Memory.ALL,
              to + b * bytes,
              bStep * bytes,
              bytes,
              n);
          return true;
        });
  }

  /** Dense indexes of i64. */
  static Tensor indexes(Tensor index) {
    return Dense.of(index.to(DType.I64));
  }

  static long index(long address, long i) {
    return Memory.ALL.get(LONG, address + i * 8);
  }

  /** Lets {@code body} work on the tensor, or on a dense copy that is then written back. */
  static Tensor inPlace(Tensor self, Consumer<Tensor> body) {
    return inPlace(self, false, body);
  }

  /** As the other, also where elements of self share places: what is written to one stays. */
  static Tensor inPlaceShared(Tensor self, Consumer<Tensor> body) {
    return inPlace(self, true, body);
  }

  private static Tensor inPlace(Tensor self, boolean shared, Consumer<Tensor> body) {
    Tensor work = Dense.of(self);
    if (work == self && self.storage().isReadOnly()) {
      throw new UnsupportedOperationException(
          "the memory of shape=" + self.shape() + " is read-only");
    }
    Tensor before = shared && work != self && sharesElements(self) ? work.copy() : null;
    body.accept(work);
    if (before != null) {
      writeChanges(before, work, self);
    } else if (work != self) {
      self.copyFrom(work);
    }
    return self;
  }

  /** Whether several elements lie at one place that can be written, as in an expanded tensor. */
  static boolean sharesElements(Tensor t) {
    long[] strides = t.strides();
    for (int d = 0; d < strides.length; d++) {
      if (strides[d] == 0 && t.shape().size(d) > 1) {
        return Memory.isAddressable(t);
      }
    }
    return false;
  }

  /** Where the {@code i}-th element lies, counted row by row. */
  static long place(Tensor t, long i) {
    long[] strides = t.strides();
    long offset = 0;
    long left = i;
    for (int d = strides.length - 1; d >= 0; d--) {
      long size = t.shape().size(d);
      offset += left % size * strides[d];
      left /= size;
    }
    return Memory.writableAddress(t) + offset * t.dtype().bytes();
  }

  /** Of elements that share a place, the last that has changed stays. */
  private static void writeChanges(Tensor before, Tensor after, Tensor to) {
    int bytes = to.dtype().bytes();
    long target = Memory.writableAddress(to);
    PairWalk.walk(
        to.shape().toArray(),
        after.strides(),
        0,
        to.strides(),
        0,
        (a, aStep, b, bStep, n) -> {
          for (long i = 0; i < n; i++) {
            long from = (a + i * aStep) * bytes;
            long changed = Dense.address(after) + from;
            long mismatch =
                MemorySegment.mismatch(
                    Memory.ALL,
                    changed,
                    changed + bytes,
                    Memory.ALL,
                    Dense.address(before) + from,
                    Dense.address(before) + from + bytes);
            if (mismatch >= 0) {
              move(bytes, changed, target + (b + i * bStep) * bytes);
            }
          }
          return true;
        });
    Reference.reachabilityFence(before);
    Reference.reachabilityFence(after);
    Reference.reachabilityFence(to);
  }
}
