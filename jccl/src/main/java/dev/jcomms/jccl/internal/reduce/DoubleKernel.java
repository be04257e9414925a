package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import java.lang.foreign.MemorySegment;

/** Folds f64. */
final class DoubleKernel extends BlockKernel<double[]> {
  private final Standard op;
  private final boolean scaled;

  DoubleKernel(Standard op, boolean scaled) {
    this.op = op;
    this.scaled = scaled;
  }

  @Override
  double[] block(Scratch scratch, int which) {
    return scratch.doubles(which);
  }

  @Override
  void load(Terms terms, int term, long start, double[] block, int count) {
    long at = terms.at(term) + start * Double.BYTES;
    MemorySegment.copy(terms.segment(term), JAVA_DOUBLE_UNALIGNED, at, block, 0, count);
    if (scaled) {
      double factor = terms.factor(term);
      for (int i = 0; i < count; i++) {
        block[i] *= factor;
      }
    }
  }

  @Override
  void combine(double[] acc, double[] next, int count) {
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
      double[] acc,
      int count,
      int divisor,
      Scratch scratch,
      MemorySegment out,
      long outAt,
      long start) {
    if (op == Standard.AVG) {
      for (int i = 0; i < count; i++) {
        acc[i] /= divisor;
      }
    }
    NanScan.canonise(acc, count, scratch);
    long at = outAt + start * Double.BYTES;
    MemorySegment.copy(acc, 0, out, JAVA_DOUBLE_UNALIGNED, at, count);
  }
}
