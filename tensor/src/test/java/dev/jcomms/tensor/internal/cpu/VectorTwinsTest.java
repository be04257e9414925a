package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jcomms.tensor.Scalar;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What vectors compute is what the plain functions compute, bit for bit but for NaN's payload. */
class VectorTwinsTest {
  private static final float[] SPECIAL = {
    0f,
    -0f,
    1f,
    -1f,
    0.5f,
    -0.5f,
    2f,
    3f,
    -3f,
    88.8f,
    -88f,
    -104f,
    100f,
    -110f,
    1e-40f,
    -1e-42f,
    Float.MIN_VALUE,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    0.625f,
    0.624f,
    4f,
    5f,
    1e6f,
    -1e8f,
    16777216f,
    16777217f,
    2.5f,
    -2.5f
  };

  static Stream<Function> functions() {
    return Functions.all().stream();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void floatsAreTheSame(Function f) throws Throwable {
    assumeTrue(f.floats() != null && Simd.isAvailable());
    compare(f, Carrier.FLOAT);
  }

  @ParameterizedTest
  @MethodSource("functions")
  void doublesAreTheSame(Function f) throws Throwable {
    assumeTrue(f.doubles() != null && Simd.isAvailable());
    compare(f, Carrier.DOUBLE);
  }

  @ParameterizedTest
  @MethodSource("functions")
  void intsAreTheSame(Function f) throws Throwable {
    assumeTrue(f.ints() != null && Simd.isAvailable());
    compare(f, Carrier.INT);
  }

  @ParameterizedTest
  @MethodSource("functions")
  void longsAreTheSame(Function f) throws Throwable {
    assumeTrue(f.longs() != null && Simd.isAvailable());
    compare(f, Carrier.LONG);
  }

  private static void compare(Function f, Carrier carrier) throws Throwable {
    MethodHandle vector = Simd.loop(f, carrier);
    assumeTrue(vector != null);
    int n = SPECIAL.length * SPECIAL.length + 3; // not a multiple of any vector
    try (Arena arena = Arena.ofConfined()) {
      long[] at = new long[5];
      for (int k = 0; k < at.length; k++) {
        at[k] = arena.allocate(n * 8L, 64).address();
      }
      Random random = new Random(7);
      for (int i = 0; i < n; i++) {
        put(carrier, at[0], i, SPECIAL[i % SPECIAL.length], random);
        put(carrier, at[1], i, SPECIAL[i / SPECIAL.length % SPECIAL.length], random);
        put(carrier, at[2], i, SPECIAL[random.nextInt(SPECIAL.length)], random);
      }
      long p = carrier.bits(Scalar.of(1.5));
      long q = carrier.bits(Scalar.of(2.25));
      new Kernel(f, carrier).plain(at[3], at[0], at[1], at[2], n, p, q);
      vector.invokeExact(at[4], at[0], at[1], at[2], n, p, q);
      for (int i = 0; i < n; i++) {
        assertThat(get(carrier, at[4], i))
            .as(
                "%s(%s, %s, %s)",
                f, get(carrier, at[0], i), get(carrier, at[1], i), get(carrier, at[2], i))
            .isEqualTo(get(carrier, at[3], i));
      }
    }
  }

  private static void put(Carrier carrier, long at, int i, float special, Random random) {
    double value = random.nextInt(4) == 0 ? random.nextGaussian() * 5 : special;
    switch (carrier) {
      case FLOAT -> Memory.put(at + i * 4L, (float) value);
      case DOUBLE -> Memory.put(at + i * 8L, value);
      case INT -> Memory.put(at + i * 4L, (int) value);
      case LONG -> Memory.put(at + i * 8L, (long) value);
    }
  }

  /** Boxed, so that zeros have signs and NaN is one. */
  private static Object get(Carrier carrier, long at, int i) {
    return switch (carrier) {
      case FLOAT -> Memory.getFloat(at + i * 4L);
      case DOUBLE -> Memory.getDouble(at + i * 8L);
      case INT -> Memory.getInt(at + i * 4L);
      case LONG -> Memory.getLong(at + i * 8L);
    };
  }

  @ParameterizedTest
  @EnumSource(Fold.class)
  void foldsAreTheSame(Fold fold) throws Throwable {
    assumeTrue(Simd.isAvailable());
    Random random = new Random(11);
    for (Carrier carrier : new Carrier[] {Carrier.FLOAT, Carrier.DOUBLE}) {
      MethodHandle vector = Simd.fold(fold.combine, carrier);
      for (int n : new int[] {64, 65, 95, 96, 127, 128, 1000, 1024}) {
        try (Arena arena = Arena.ofConfined()) {
          long at = arena.allocate(n * 8L, 64).address();
          for (int i = 0; i < n; i++) {
            double value = 1 + random.nextGaussian() / 100;
            if (carrier == Carrier.FLOAT) {
              Memory.put(at + i * 4L, (float) value);
            } else {
              Memory.put(at + i * 8L, value);
            }
          }
          double plain = new FoldKernel(fold, carrier).run(at, n);
          assertThat((double) vector.invokeExact(at, n))
              .as("%s of %d %s", fold, n, carrier)
              .isEqualTo(plain);
        }
      }
    }
  }
}
