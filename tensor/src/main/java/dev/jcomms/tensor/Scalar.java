package dev.jcomms.tensor;

/**
 * One number without a dtype, as operators take it: a whole number, a fraction or a boolean.
 * Immutable; any thread may use it.
 *
 * <p>Its kind matters to type promotion, its value alone to the arithmetic: adding {@code
 * Scalar.of(1)} to an integer tensor gives integers, adding {@code Scalar.of(1.0)} floats.
 */
public final class Scalar {
  public static final Scalar ZERO = new Scalar(Kind.LONG, 0, 0);
  public static final Scalar ONE = new Scalar(Kind.LONG, 1, 1);

  private enum Kind {
    LONG,
    DOUBLE,
    BOOLEAN
  }

  private final Kind kind;
  private final long whole;
  private final double fraction;

  private Scalar(Kind kind, long whole, double fraction) {
    this.kind = kind;
    this.whole = whole;
    this.fraction = fraction;
  }

  public static Scalar of(long value) {
    return value == 1 ? ONE : value == 0 ? ZERO : new Scalar(Kind.LONG, value, value);
  }

  public static Scalar of(double value) {
    return new Scalar(Kind.DOUBLE, (long) value, value);
  }

  public static Scalar of(boolean value) {
    return new Scalar(Kind.BOOLEAN, value ? 1 : 0, value ? 1 : 0);
  }

  /** True of whole numbers; not of booleans. */
  public boolean isIntegral() {
    return kind == Kind.LONG;
  }

  public boolean isFloating() {
    return kind == Kind.DOUBLE;
  }

  public boolean isBoolean() {
    return kind == Kind.BOOLEAN;
  }

  public double toDouble() {
    return fraction;
  }

  /** The whole number; of a fraction what is before the point. */
  public long toLong() {
    return whole;
  }

  public boolean toBoolean() {
    return kind == Kind.DOUBLE ? fraction != 0 : whole != 0;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Scalar s
        && s.kind == kind
        && s.whole == whole
        && Double.doubleToLongBits(s.fraction) == Double.doubleToLongBits(fraction);
  }

  @Override
  public int hashCode() {
    return 31 * kind.ordinal() + Double.hashCode(fraction);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case LONG -> Long.toString(whole);
      case DOUBLE -> Double.toString(fraction);
      case BOOLEAN -> Boolean.toString(whole != 0);
    };
  }
}
