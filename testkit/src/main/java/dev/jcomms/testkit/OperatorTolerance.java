package dev.jcomms.testkit;

import dev.jcomms.tensor.DType;
import java.util.EnumMap;
import java.util.Map;

/**
 * How far a device's result may be from the cpu's: {@code |a - b| <= absolute + relative * |b|} by
 * dtype. NaN equals NaN here, and whole numbers must be the same. Immutable.
 */
public final class OperatorTolerance {
  private record Bound(double relative, double absolute) {}

  /** What PyTorch's own tests allow. */
  public static final OperatorTolerance DEFAULT =
      new OperatorTolerance(
          Map.of(
              DType.F64, new Bound(1e-7, 1e-7),
              DType.F32, new Bound(1.3e-6, 1e-5),
              DType.F16, new Bound(1e-3, 1e-3),
              DType.BF16, new Bound(1.6e-2, 1e-2),
              DType.F8E4M3, new Bound(0.13, 1e-2),
              DType.F8E5M2, new Bound(0.25, 1e-2)));

  private final Map<DType, Bound> bounds;

  private OperatorTolerance(Map<DType, Bound> bounds) {
    this.bounds = Map.copyOf(bounds);
  }

  /** This tolerance with other bounds for one dtype. */
  public OperatorTolerance with(DType dtype, double relative, double absolute) {
    Map<DType, Bound> changed = new EnumMap<>(bounds);
    changed.put(dtype, new Bound(relative, absolute));
    return new OperatorTolerance(changed);
  }

  /** The bound in parts of the right result; 0 where only that will do. */
  public double relative(DType dtype) {
    return bounds.containsKey(dtype) ? bounds.get(dtype).relative : 0;
  }

  /** The bound for results near zero. */
  public double absolute(DType dtype) {
    return bounds.containsKey(dtype) ? bounds.get(dtype).absolute : 0;
  }
}
