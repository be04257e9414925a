package dev.jcomms.tensor.internal.cpu;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The loops of one fold in one carrier, plain and with vectors, as {@link Kernel}. */
final class FoldKernel {
  static final MethodType TYPE = MethodType.methodType(double.class, long.class, int.class);

  private static final int LEAST = 64;
  private static final long ELEMENTS_THAT_MATTER = 1L << 17;

  private final Fold fold;
  private final Carrier carrier;
  private final MethodHandle plain;
  private long done; // threads may lose each other's counts
  private volatile MethodHandle vector;

  FoldKernel(Fold fold, Carrier carrier) {
    this.fold = fold;
    this.carrier = carrier;
    Class<?> template = carrier == Carrier.FLOAT ? FloatFoldLoop.class : DoubleFoldLoop.class;
    this.plain = Loop.copy(MethodHandles.lookup(), template, fold.combine, TYPE);
    if (!Simd.isLikely()) {
      done = ELEMENTS_THAT_MATTER;
    }
  }

  double run(long at, int n) {
    MethodHandle loop = n < LEAST ? null : vector;
    if (loop == null) {
      loop = plain;
      long before = done;
      done = before + n;
      if (before < ELEMENTS_THAT_MATTER && before + n >= ELEMENTS_THAT_MATTER) {
        Trial.hold(this::challenge);
      }
    }
    return call(loop, at, n);
  }

  private Trial.Contest challenge() {
    MethodHandle candidate = Simd.fold(fold.combine, carrier);
    if (candidate == null) {
      return null;
    }
    Trial.Course course = new Trial.Course(1, carrier);
    Trial.Run plainRun = at -> fold(plain, at[0]);
    Trial.Run vectorRun = at -> fold(candidate, at[0]);
    return course.between(vectorRun, plainRun, () -> vector = candidate);
  }

  /** A fold of whole vectors ends otherwise than one of more. */
  private static void fold(MethodHandle loop, long block) {
    call(loop, block, Scratch.BLOCK);
    call(loop, block, Trial.ODD);
  }

  /** Whether vectors have taken over; for tests. */
  boolean isVector() {
    return vector != null;
  }

  private static double call(MethodHandle loop, long at, int n) {
    try {
      return (double) loop.invokeExact(at, n);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // a loop declares nothing
    }
  }
}
