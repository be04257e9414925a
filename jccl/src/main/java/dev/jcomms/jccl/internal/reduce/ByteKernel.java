package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jcomms.ReduceOp.Standard;
import java.lang.foreign.MemorySegment;

/** Folds i8 and u8, wrapping around; averages are {@link LongKernel}'s. */
final class ByteKernel extends BlockKernel<byte[]> {
  private final Standard op;

  /** What turns the order of the type into that of a Java byte: the sign bit for u8. */
  private final int flip;

  ByteKernel(Standard op, boolean unsigned) {
    this.op = op;
    this.flip = unsigned ? 0x80 : 0;
  }

  @Override
  byte[] block(Scratch scratch, int which) {
    return scratch.bytes(which);
  }

  @Override
  void load(Terms terms, int term, long start, byte[] block, int count) {
    MemorySegment.copy(terms.segment(term), JAVA_BYTE, terms.at(term) + start, block, 0, count);
  }

  @Override
  void combine(byte[] acc, byte[] next, int count) {
    switch (op) {
      case PRODUCT -> {
        for (int i = 0; i < count; i++) {
          acc[i] *= next[i];
        }
      }
      case MIN -> {
        for (int i = 0; i < count; i++) {
          acc[i] = (byte) (Math.min((byte) (acc[i] ^ flip), (byte) (next[i] ^ flip)) ^ flip);
        }
      }
      case MAX -> {
        for (int i = 0; i < count; i++) {
          acc[i] = (byte) (Math.max((byte) (acc[i] ^ flip), (byte) (next[i] ^ flip)) ^ flip);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          acc[i] += next[i];
        }
      }
    }
  }

  @Override
  void store(
      byte[] acc,
      int count,
      int divisor,
      Scratch scratch,
      MemorySegment out,
      long outAt,
      long start) {
    MemorySegment.copy(acc, 0, out, JAVA_BYTE, outAt + start, count);
  }
}
