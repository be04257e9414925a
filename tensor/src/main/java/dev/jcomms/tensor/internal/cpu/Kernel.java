package dev.jcomms.tensor.internal.cpu;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The loops of one function in one carrier: a plain one that is good from the start, and one of
 * hardware vectors that takes over once it has proved faster. Both give the same bits.
 */
final class Kernel {
  static final MethodType TYPE =
      MethodType.methodType(
          void.class,
          long.class,
          long.class,
          long.class,
          long.class,
          int.class,
          long.class,
          long.class);

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  /** With fewer elements, getting under way costs vectors more than they gain. */
  private static final int LEAST = 32;

  /** After how many elements the compiler is made to look at the vector loop. */
  private static final long ELEMENTS_THAT_MATTER = 1L << 17;

  private final Function function;
  private final Carrier carrier;
  private final MethodHandle plain;
  private long done; // threads may lose each other's counts
  private volatile MethodHandle vector;

  Kernel(Function function, Carrier carrier) {
    this.function = function;
    this.carrier = carrier;
    Class<?> template =
        switch (carrier) {
          case FLOAT -> FloatLoop.class;
          case DOUBLE -> DoubleLoop.class;
          case INT -> IntLoop.class;
          case LONG -> LongLoop.class;
        };
    this.plain = Loop.copy(LOOKUP, template, function, TYPE);
    if (!Simd.isLikely()) {
      done = ELEMENTS_THAT_MATTER;
    }
  }

  /**
   * Computes {@code n} elements that lie one after the other at the addresses; operands beyond the
   * function's arity are not looked at.
   */
  void run(long out, long a, long b, long c, int n, long p, long q) {
    MethodHandle loop = n < LEAST ? null : vector;
    if (loop == null) {
      loop = plain;
      count(n);
    }
    call(loop, out, a, b, c, n, p, q);
  }

  private void count(int n) {
    long before = done;
    done = before + n;
    if (before < ELEMENTS_THAT_MATTER && before + n >= ELEMENTS_THAT_MATTER) {
      Trial.hold(this::challenge);
    }
  }

  private Trial.Contest challenge() {
    MethodHandle candidate = Simd.loop(function, carrier);
    if (candidate == null) {
      return null;
    }
    Trial.Course course = new Trial.Course(4, carrier);
    Trial.Run plainRun = at -> call(plain, at[0], at[1], at[2], at[3], Trial.ODD, 0, 0);
    Trial.Run vectorRun = at -> call(candidate, at[0], at[1], at[2], at[3], Trial.ODD, 0, 0);
    return course.between(vectorRun, plainRun, () -> vector = candidate);
  }

  /** The same by the plain loop, whoever has won; for tests. */
  void plain(long out, long a, long b, long c, int n, long p, long q) {
    call(plain, out, a, b, c, n, p, q);
  }

  /** Whether vectors have taken over; for tests. */
  boolean isVector() {
    return vector != null;
  }

  private static void call(
      MethodHandle loop, long out, long a, long b, long c, int n, long p, long q) {
    try {
      loop.invokeExact(out, a, b, c, n, p, q);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // a loop declares nothing
    }
  }
}
