package dev.jcomms.testkit;

import dev.jcomms.tensor.DType;
import java.util.EnumMap;
import java.util.Map;

/**
 * How far a result that has to be rounded may be from the exact one: relative to the sum of the
 * magnitudes of what went into it. Results that need no rounding are compared exactly. Immutable.
 */
public final class Tolerance {
  /** A few units in the last place of each floating dtype. */
  public static final Tolerance DEFAULT =
      new Tolerance(
          Map.of(
              DType.F64, 1e-15 * 4, DType.F32, 1.2e-7 * 4, DType.F16, 9.8e-4, DType.BF16, 7.9e-3));

  private final Map<DType, Double> relative;

  private Tolerance(Map<DType, Double> relative) {
    this.relative = Map.copyOf(relative);
  }

  /** This tolerance with another bound for one dtype. */
  public Tolerance with(DType dtype, double bound) {
    Map<DType, Double> changed = new EnumMap<>(relative);
    changed.put(dtype, bound);
    return new Tolerance(changed);
  }

  /** The bound of a dtype; 0 where only the exact result will do. */
  public double of(DType dtype) {
    return relative.getOrDefault(dtype, 0.0);
  }
}
