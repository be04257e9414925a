package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.OperatorTolerance;
import java.util.Arrays;
import java.util.List;

/** How far a case's results may be from PyTorch's, which differ from processor to processor. */
final class PyTorchTolerance {
  /** Rounding differs with the order of operations; small floats by one unit of the last place. */
  private static final OperatorTolerance USUAL =
      OperatorTolerance.DEFAULT
          .with(DType.F32, 1e-5, 1e-5)
          .with(DType.F16, 4e-3, 4e-3)
          .with(DType.BF16, 3e-2, 3e-2);

  /** Of the magnitudes that are added up; PyTorch alone may be off by two parts of 2^24. */
  private static final double OF_SUMS = 5 * 0x1p-24;

  private PyTorchTolerance() {}

  static OperatorTolerance of(Case c) {
    return switch (c.operator().schema().name()) {
      // PyTorch rounds the parts of the gradient before it adds them up.
      case "convolution_backward" -> USUAL.with(DType.BF16, 3e-2, 0.5);
      case "addmm", "addmm_", "baddbmm", "baddbmm_", "addbmm", "addbmm_" -> ofProducts(c);
      case "linalg_matrix_power" ->
          isGradientOfInverse(c) ? USUAL.with(DType.F32, 5e-5, 1e-5) : USUAL;
      default -> USUAL;
    };
  }

  /** What is left of products that cancel is as far off as they were large. */
  private static OperatorTolerance ofProducts(Case c) {
    if (c.form() != Case.Form.VALUES) {
      return USUAL;
    }
    double bound = OF_SUMS * largestSum(c);
    return Double.isFinite(bound) && bound > USUAL.absolute(DType.F32)
        ? USUAL.with(DType.F32, USUAL.relative(DType.F32), bound)
        : USUAL;
  }

  /** The largest element of the result if no product and no term were negative; 0 if refused. */
  private static double largestSum(Case c) {
    Object[] arguments =
        Arrays.stream(c.on(Device.CPU))
            .map(a -> a instanceof Tensor t ? Ops.abs(t.to(DType.F64)) : a)
            .toArray();
    Execution.Outcome outcome =
        Execution.guarded(() -> Execution.values(List.of(c.operator().call(arguments)), List.of()));
    return outcome instanceof Execution.Values values
            && values.results().getFirst() instanceof Tensor sums
        ? Arrays.stream(sums.toDoubleArray()).max().orElse(0)
        : 0;
  }

  /** Which is as far off as the matrix is near to having none. */
  private static boolean isGradientOfInverse(Case c) {
    return c.form() == Case.Form.GRADIENTS
        && c.arguments().get(1) instanceof Number power
        && power.longValue() < 0;
  }
}
