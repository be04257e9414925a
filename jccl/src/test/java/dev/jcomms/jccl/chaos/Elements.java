package dev.jcomms.jccl.chaos;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Whole numbers as elements of any dtype, written and compared bit by bit. */
final class Elements {
  /** The number at each place. */
  interface Numbers {
    long at(long i);
  }

  private Elements() {}

  /** Well mixed bits of four numbers. */
  static long mix(long a, long b, long c, long d) {
    long h =
        a * 0x9E3779B97F4A7C15L
            + b * 0xC2B2AE3D27D4EB4FL
            + c * 0x165667B19E3779F9L
            + d * 0x27D4EB2F165667C5L;
    h = (h ^ h >>> 29) * 0xBF58476D1CE4E5B9L;
    return h ^ h >>> 32;
  }

  static Tensor fill(Tensor tensor, Numbers numbers) {
    MemorySegment memory = tensor.segment();
    for (long i = 0; i < tensor.elements(); i++) {
      put(memory, tensor.dtype(), i, bits(tensor.dtype(), numbers.at(i)));
    }
    return tensor;
  }

  static void check(String what, Tensor tensor, Numbers numbers) {
    MemorySegment memory = tensor.segment();
    for (long i = 0; i < tensor.elements(); i++) {
      long wanted = bits(tensor.dtype(), numbers.at(i));
      long found = get(memory, tensor.dtype(), i);
      if (wanted != found) {
        throw new AssertionError(
            "%s: element %d of %d x %s has bits %x, not %x"
                .formatted(what, i, tensor.elements(), tensor.dtype(), found, wanted));
      }
    }
  }

  /** Eight-bit floats are only moved: any pattern will do. */
  private static long bits(DType dtype, long number) {
    return switch (dtype) {
      case F64 -> Double.doubleToRawLongBits(number);
      case F32 -> Float.floatToRawIntBits(number) & 0xffffffffL;
      case F16 -> Float.floatToFloat16(number) & 0xffffL;
      case BF16 -> Float.floatToRawIntBits(number) >>> 16 & 0xffffL;
      case I64 -> number;
      case I32 -> number & 0xffffffffL;
      case I16 -> number & 0xffffL;
      case I8, U8, F8E4M3, F8E5M2 -> number & 0xffL;
      case BOOL -> number == 0 ? 0 : 1;
    };
  }

  private static void put(MemorySegment memory, DType dtype, long i, long bits) {
    switch (dtype.bytes()) {
      case 8 -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, i * 8, bits);
      case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, i * 4, (int) bits);
      case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, i * 2, (short) bits);
      default -> memory.set(ValueLayout.JAVA_BYTE, i, (byte) bits);
    }
  }

  private static long get(MemorySegment memory, DType dtype, long i) {
    return switch (dtype.bytes()) {
      case 8 -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, i * 8);
      case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, i * 4) & 0xffffffffL;
      case 2 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, i * 2) & 0xffffL;
      default -> memory.get(ValueLayout.JAVA_BYTE, i) & 0xffL;
    };
  }
}
