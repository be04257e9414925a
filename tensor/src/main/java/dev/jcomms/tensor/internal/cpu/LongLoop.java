package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.getLong;
import static dev.jcomms.tensor.internal.cpu.Memory.put;

import java.lang.invoke.MethodHandles;

/** Applies a function to blocks of {@code long}, element by element: a template of {@link Loop}. */
final class LongLoop {
  private static final Function FUNCTION = Loop.data(MethodHandles.lookup(), Function.class);
  private static final LongFunction F = FUNCTION.longs();
  private static final int ARITY = FUNCTION.arity();

  private LongLoop() {}

  static void run(long out, long a, long b, long c, int n, long pBits, long qBits) {
    long p = pBits;
    long q = qBits;
    switch (ARITY) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          long at = i * 8L;
          put(out + at, F.apply(getLong(a + at), 0, 0, p, q));
        }
      }
      case 2 -> {
        for (int i = 0; i < n; i++) {
          long at = i * 8L;
          put(out + at, F.apply(getLong(a + at), getLong(b + at), 0, p, q));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) {
          long at = i * 8L;
          put(out + at, F.apply(getLong(a + at), getLong(b + at), getLong(c + at), p, q));
        }
      }
    }
  }
}
