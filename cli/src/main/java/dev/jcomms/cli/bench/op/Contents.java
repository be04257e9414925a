package dev.jcomms.cli.bench.op;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Writes a {@link Content} into a tensor, and compares a tensor with one: a block at a time. */
final class Contents {
  private static final int BLOCK = 8192;

  private Contents() {}

  static void fill(Tensor tensor, Content content) {
    long[] values = new long[BLOCK];
    Tensor block = Tensor.wrap(values);
    for (long at = 0; at < tensor.elements(); at += BLOCK) {
      int count = (int) Math.min(BLOCK, tensor.elements() - at);
      content.read(at, values, count);
      tensor.narrow(0, at, count).copyFrom(block.narrow(0, 0, count));
    }
  }

  /** Elements whose bits differ. */
  static long wrong(Tensor tensor, Content content) {
    DType dtype = tensor.dtype();
    int width = dtype.bytes();
    Tensor expected = Tensor.empty(dtype, Shape.of(Math.min(BLOCK, tensor.elements())));
    long[] values = new long[BLOCK];
    Tensor block = Tensor.wrap(values);
    long wrong = 0;
    for (long at = 0; at < tensor.elements(); at += BLOCK) {
      int count = (int) Math.min(BLOCK, tensor.elements() - at);
      content.read(at, values, count);
      expected.narrow(0, 0, count).copyFrom(block.narrow(0, 0, count));
      MemorySegment want = expected.segment().asSlice(0, (long) count * width);
      MemorySegment have = tensor.segment().asSlice(at * width, (long) count * width);
      if (want.mismatch(have) >= 0) wrong += differing(want, have, width);
    }
    return wrong;
  }

  private static long differing(MemorySegment want, MemorySegment have, int width) {
    long count = 0;
    for (long at = 0; at < want.byteSize(); at += width) {
      for (int b = 0; b < width; b++) {
        if (want.get(ValueLayout.JAVA_BYTE, at + b) != have.get(ValueLayout.JAVA_BYTE, at + b)) {
          count++;
          break;
        }
      }
    }
    return count;
  }
}
