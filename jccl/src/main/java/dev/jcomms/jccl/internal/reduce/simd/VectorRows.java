package dev.jcomms.jccl.internal.reduce.simd;

import dev.jcomms.jccl.internal.reduce.RowKernel;
import java.lang.invoke.MethodHandle;

/**
 * Folds rows by vector loops, and leaves to its twin what is less than a vector.
 *
 * <p>The loop of a lane type is a static method {@code fold} of a class, copied for each operation
 * and called through a handle that is no constant, for the reason that {@link Loops} gives.
 */
final class VectorRows implements RowKernel {
  private final MethodHandle loop;
  private final int lanes;
  private final int bytes;
  private final RowKernel rest;

  VectorRows(Class<?> template, Recipe recipe, RowKernel rest) {
    this.loop = Specialised.rows(template, recipe);
    this.bytes = recipe.in().bytes();
    this.lanes = VectorKernels.bits() / Byte.SIZE / bytes;
    this.rest = rest;
  }

  @Override
  public void run(
      long first, long stride, int rows, int mine, long own, long out, int elements, int divisor) {
    int whole = elements & -lanes; // a power of two
    if (whole > 0) {
      fold(first, stride, rows, mine, own, out, whole, divisor);
    }
    if (whole < elements) {
      long done = (long) whole * bytes;
      rest.run(first + done, stride, rows, mine, own + done, out + done, elements - whole, divisor);
    }
  }

  private void fold(
      long first, long stride, int rows, int mine, long own, long out, int whole, int divisor) {
    try {
      loop.invokeExact(first, stride, rows, mine, own, out, whole, divisor);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // a loop declares nothing
    }
  }
}
