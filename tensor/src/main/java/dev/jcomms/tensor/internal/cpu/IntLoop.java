package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.getInt;
import static dev.jcomms.tensor.internal.cpu.Memory.put;

import java.lang.invoke.MethodHandles;

/** Applies a function to blocks of {@code int}, element by element: a template of {@link Loop}. */
final class IntLoop {
  private static final Function FUNCTION = Loop.data(MethodHandles.lookup(), Function.class);
  private static final IntFunction F = FUNCTION.ints();
  private static final int ARITY = FUNCTION.arity();

  private IntLoop() {}

  static void run(long out, long a, long b, long c, int n, long pBits, long qBits) {
    int p = (int) pBits;
    int q = (int) qBits;
    switch (ARITY) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          long at = i * 4L;
          put(out + at, F.apply(getInt(a + at), 0, 0, p, q));
        }
      }
      case 2 -> {
        for (int i = 0; i < n; i++) {
          long at = i * 4L;
          put(out + at, F.apply(getInt(a + at), getInt(b + at), 0, p, q));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) {
          long at = i * 4L;
          put(out + at, F.apply(getInt(a + at), getInt(b + at), getInt(c + at), p, q));
        }
      }
    }
  }
}
