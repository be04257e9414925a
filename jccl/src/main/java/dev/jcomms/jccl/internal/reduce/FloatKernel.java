package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/** Folds in f32: f32 itself, f16 and bf16, and the ways between them. */
final class FloatKernel extends BlockKernel<float[]> {
  private final DType in;
  private final DType out;
  private final Standard op;
  private final boolean scaled;

  FloatKernel(DType in, DType out, Standard op, boolean scaled) {
    this.in = in;
    this.out = out;
    this.op = op;
    this.scaled = scaled;
  }

  @Override
  float[] block(Scratch scratch, int which) {
    return scratch.floats(which);
  }

  @Override
  void load(Terms terms, int term, long start, float[] block, int count) {
    MemorySegment segment = terms.segment(term);
    long at = terms.at(term) + start * in.bytes();
    if (in == DType.F32) {
      MemorySegment.copy(segment, JAVA_FLOAT_UNALIGNED, at, block, 0, count);
    } else {
      short[] narrow = terms.scratch().shorts(0);
      MemorySegment.copy(segment, JAVA_SHORT_UNALIGNED, at, narrow, 0, count);
      SmallFloats.widen(in, narrow, block, count);
    }
    if (scaled) {
      float factor = (float) terms.factor(term);
      for (int i = 0; i < count; i++) {
        block[i] *= factor;
      }
    }
  }

  @Override
  void combine(float[] acc, float[] next, int count) {
    switch (op) {
      case PRODUCT -> {
        for (int i = 0; i < count; i++) {
          acc[i] *= next[i];
        }
      }
      case MIN -> {
        for (int i = 0; i < count; i++) {
          acc[i] = Math.min(acc[i], next[i]);
        }
      }
      case MAX -> {
        for (int i = 0; i < count; i++) {
          acc[i] = Math.max(acc[i], next[i]);
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
      float[] acc,
      int count,
      int divisor,
      Scratch scratch,
      MemorySegment segment,
      long outAt,
      long start) {
    if (op == Standard.AVG) {
      for (int i = 0; i < count; i++) {
        acc[i] /= divisor;
      }
    }
    long at = outAt + start * out.bytes();
    if (out == DType.F32) {
      NanScan.canonise(acc, count, scratch);
      MemorySegment.copy(acc, 0, segment, JAVA_FLOAT_UNALIGNED, at, count);
    } else {
      short[] narrow = scratch.shorts(0);
      SmallFloats.narrow(out, acc, narrow, count, scratch);
      MemorySegment.copy(narrow, 0, segment, JAVA_SHORT_UNALIGNED, at, count);
    }
  }
}
