package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.getDouble;
import static dev.jcomms.tensor.internal.cpu.Memory.put;

import java.lang.invoke.MethodHandles;

/**
 * Applies a function to blocks of {@code double}, element by element: a template of {@link Loop}.
 */
final class DoubleLoop {
  private static final Function FUNCTION = Loop.data(MethodHandles.lookup(), Function.class);
  private static final DoubleFunction F = FUNCTION.doubles();
  private static final int ARITY = FUNCTION.arity();

  private DoubleLoop() {}

  static void run(long out, long a, long b, long c, int n, long pBits, long qBits) {
    double p = Double.longBitsToDouble(pBits);
    double q = Double.longBitsToDouble(qBits);
    switch (ARITY) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          long at = i * 8L;
          put(out + at, F.apply(getDouble(a + at), 0, 0, p, q));
        }
      }
      case 2 -> {
        for (int i = 0; i < n; i++) {
          long at = i * 8L;
          put(out + at, F.apply(getDouble(a + at), getDouble(b + at), 0, p, q));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) {
          long at = i * 8L;
          put(out + at, F.apply(getDouble(a + at), getDouble(b + at), getDouble(c + at), p, q));
        }
      }
    }
  }
}
