package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.getFloat;
import static dev.jcomms.tensor.internal.cpu.Memory.put;

import java.lang.invoke.MethodHandles;

/**
 * Applies a function to blocks of {@code float}, element by element: a template of {@link Loop}.
 */
final class FloatLoop {
  private static final Function FUNCTION = Loop.data(MethodHandles.lookup(), Function.class);
  private static final FloatFunction F = FUNCTION.floats();
  private static final int ARITY = FUNCTION.arity();

  private FloatLoop() {}

  static void run(long out, long a, long b, long c, int n, long pBits, long qBits) {
    float p = Float.intBitsToFloat((int) pBits);
    float q = Float.intBitsToFloat((int) qBits);
    switch (ARITY) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          long at = i * 4L;
          put(out + at, F.apply(getFloat(a + at), 0, 0, p, q));
        }
      }
      case 2 -> {
        for (int i = 0; i < n; i++) {
          long at = i * 4L;
          put(out + at, F.apply(getFloat(a + at), getFloat(b + at), 0, p, q));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) {
          long at = i * 4L;
          put(out + at, F.apply(getFloat(a + at), getFloat(b + at), getFloat(c + at), p, q));
        }
      }
    }
  }
}
