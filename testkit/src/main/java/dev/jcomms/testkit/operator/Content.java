package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import java.util.Arrays;
import java.util.Random;

/** What a sample tensor is filled with: the same numbers for the same seed, everywhere. */
sealed interface Content {
  /** The {@code i}-th of {@code n} numbers; a whole one where the dtype is. */
  double at(Random random, DType dtype, long i, long n);

  /** A few letters for the case's name; "" for the usual content. */
  String label();

  /** Numbers around zero: floats about the size of 2, integers within 9. */
  Content ANY = new Range(-9, 9, -4, 4, "");

  /** Above zero. */
  Content POSITIVE = new Range(1, 9, 0.1, 4, "positive");

  /** Away from zero, of both signs. */
  Content NONZERO = new NonZero();

  /** Between -1 and 1, both left out. */
  Content UNIT = new Range(0, 1, -0.95, 0.95, "unit");

  /** Between 0 and 1. */
  Content PROBABILITY = new Range(0, 1, 0.05, 0.95, "probability");

  /** NaN, infinities, zeros of both signs, large and small ones among others. */
  Content SPECIAL = new Special();

  /** No two alike, in no order. */
  Content DISTINCT = new Distinct();

  /** Whole numbers from {@code low} up to but without {@code high}. */
  static Content index(long low, long high) {
    return new Range(low, high - 1, low, high - 1, low < 0 ? "index+-" : "index");
  }

  /** Just these, again and again. */
  static Content of(double... numbers) {
    return new Listed(numbers);
  }

  record Listed(double... numbers) implements Content {
    @Override
    public double at(Random random, DType dtype, long i, long n) {
      return numbers[(int) (i % numbers.length)];
    }

    @Override
    public String label() {
      return Arrays.toString(numbers);
    }
  }

  /** Numbers that follow from their place alone. */
  non-sealed interface Ordered extends Content {
    double of(long i);

    @Override
    default double at(Random random, DType dtype, long i, long n) {
      return of(i);
    }

    @Override
    default String label() {
      return "ordered";
    }
  }

  record Range(long low, long high, double from, double to, String label) implements Content {
    @Override
    public double at(Random random, DType dtype, long i, long n) {
      if (dtype == DType.BOOL) {
        return random.nextInt(2);
      }
      if (dtype.isFloating()) {
        return from + (to - from) * random.nextDouble();
      }
      long least = dtype == DType.U8 ? Math.max(0, low) : low;
      return least + (high <= least ? 0 : random.nextLong(high - least + 1));
    }
  }

  record NonZero() implements Content {
    @Override
    public double at(Random random, DType dtype, long i, long n) {
      double size = dtype.isFloating() ? 0.25 + 3 * random.nextDouble() : 1 + random.nextInt(8);
      boolean negative = random.nextBoolean() && dtype != DType.U8 && dtype != DType.BOOL;
      return dtype == DType.BOOL ? 1 : negative ? -size : size;
    }

    @Override
    public String label() {
      return "nonzero";
    }
  }

  record Special() implements Content {
    private static final double[] NUMBERS = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      0.0,
      -0.0,
      1,
      -1,
      0.5,
      -2.5,
      1e4,
      -1e4,
      1e-3
    };

    @Override
    public double at(Random random, DType dtype, long i, long n) {
      return dtype.isFloating()
          ? NUMBERS[(int) ((i + random.nextInt(3)) % NUMBERS.length)]
          : ANY.at(random, dtype, i, n);
    }

    @Override
    public String label() {
      return "special";
    }
  }

  record Distinct() implements Content {
    @Override
    public double at(Random random, DType dtype, long i, long n) {
      // A step that has no divisor in common with n visits every number once.
      long step = 1;
      for (long s = n / 2 + 1; s < n; s++) {
        if (gcd(s, n) == 1) {
          step = s;
          break;
        }
      }
      long rank = n == 0 ? 0 : (i * step + 3) % n;
      long shifted = rank - (dtype == DType.U8 || dtype == DType.BOOL ? 0 : n / 2);
      return dtype.isFloating() ? shifted * 0.25 : shifted;
    }

    private static long gcd(long a, long b) {
      return b == 0 ? a : gcd(b, a % b);
    }

    @Override
    public String label() {
      return "distinct";
    }
  }
}
