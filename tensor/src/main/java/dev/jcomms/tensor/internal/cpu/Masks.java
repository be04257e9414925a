package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;
import dev.jcomms.tensor.internal.ScalarRange;
import dev.jcomms.tensor.internal.Views;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/** What is decided element by element by a mask, and where a tensor is not zero. */
public final class Masks {
  private Masks() {}

  /** In place; returns self. The mask broadcasts to self, not the other way round. */
  public static Tensor maskedFill(Tensor self, Tensor mask, Scalar value) {
    String op = "masked_fill_";
    check(mask.dtype() == DType.BOOL, op + ": the mask must be bool, but is " + mask.dtype());
    ScalarRange.require(op, self.dtype(), value);
    Tensor wide;
    try {
      wide = Dense.of(mask.expand(self.shape()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          op + ": a mask of " + mask.shape() + " does not broadcast to self's " + self.shape(), e);
    }
    DType dtype = self.dtype();
    Tensor filler = Tensor.empty(dtype, Shape.scalar());
    if (value.isFloating()) {
      filler.fill(value.toDouble());
    } else {
      filler.fill(value.toLong());
    }
    return Strided.inPlaceShared(
        self,
        work -> {
          int bytes = dtype.bytes();
          for (long i = 0; i < work.elements(); i++) {
            if (isTrue(wide, i)) {
              Strided.move(bytes, Dense.address(filler), Dense.address(work) + i * bytes);
            }
          }
          Reference.reachabilityFence(wide);
          Reference.reachabilityFence(work);
          Reference.reachabilityFence(filler);
        });
  }

  public static Tensor maskedSelect(Tensor self, Tensor mask) {
    check(
        mask.dtype() == DType.BOOL, "masked_select: the mask must be bool, but is " + mask.dtype());
    Shape shape = Views.broadcast("masked_select", self.shape(), mask.shape());
    Tensor from = Dense.of(self.expand(shape));
    Tensor wide = Dense.of(mask.expand(shape));
    long count = 0;
    for (long i = 0; i < wide.elements(); i++) {
      count += isTrue(wide, i) ? 1 : 0;
    }
    Tensor out = Tensor.empty(self.dtype(), Shape.of(count));
    int bytes = self.dtype().bytes();
    long to = Dense.address(out);
    for (long i = 0; i < wide.elements(); i++) {
      if (isTrue(wide, i)) {
        Strided.move(bytes, Dense.address(from) + i * bytes, to);
        to += bytes;
      }
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(wide);
    Reference.reachabilityFence(out);
    return out;
  }

  /** In place; returns self. Where the mask is true, the next element of the source. */
  public static Tensor maskedScatter(Tensor self, Tensor mask, Tensor source) {
    String op = "masked_scatter_";
    check(mask.dtype() == DType.BOOL, op + ": the mask must be bool, but is " + mask.dtype());
    Refusals.same(op, "self", self, "source", source);
    Tensor wide = Dense.of(mask.expand(self.shape()));
    Tensor from = Dense.of(source);
    int bytes = self.dtype().bytes();
    return Strided.inPlace(
        self,
        work -> {
          long next = 0;
          for (long i = 0; i < work.elements(); i++) {
            if (isTrue(wide, i)) {
              check(
                  next < from.elements(),
                  op + ": the mask asks for more than the source's " + from.elements());
              Strided.move(
                  bytes, Dense.address(from) + next++ * bytes, Dense.address(work) + i * bytes);
            }
          }
          Reference.reachabilityFence(wide);
          Reference.reachabilityFence(from);
          Reference.reachabilityFence(work);
        });
  }

  /** A row of indexes for every element that is not zero, in logical order. */
  public static Tensor nonzero(Tensor self) {
    Tensor from = Dense.of(self);
    DType dtype = from.dtype();
    int bytes = dtype.bytes();
    long count = 0;
    for (long i = 0; i < from.elements(); i++) {
      count += isNonzero(dtype, Dense.address(from) + i * bytes) ? 1 : 0;
    }
    int dims = from.shape().dims();
    long[] sizes = from.shape().toArray();
    Tensor out = Tensor.empty(DType.I64, Shape.of(count, dims));
    long to = Dense.address(out);
    for (long i = 0; i < from.elements(); i++) {
      if (isNonzero(dtype, Dense.address(from) + i * bytes)) {
        long rest = i;
        for (int d = dims - 1; d >= 0; d--) {
          Memory.ALL.set(Strided.LONG, to + d * 8L, rest % sizes[d]);
          rest /= sizes[d];
        }
        to += dims * 8L;
      }
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(out);
    return out;
  }

  private static boolean isNonzero(DType dtype, long at) {
    return dtype.isFloating()
        ? Elements.getDouble(Memory.ALL, dtype, at) != 0
        : Elements.getLong(Memory.ALL, dtype, at) != 0;
  }

  private static boolean isTrue(Tensor mask, long i) {
    return Memory.ALL.get(ValueLayout.JAVA_BYTE, Dense.address(mask) + i) != 0;
  }
}
