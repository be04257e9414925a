package dev.jcomms.tensor.autograd;

import static dev.jcomms.tensor.autograd.Sample.any;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Inverses, determinants, equations and roots of square matrices. */
final class FactorSamples {
  private FactorSamples() {}

  /** A matrix with so much on its diagonal that it is far from singular. */
  private static Tensor firm(long... sizes) {
    long n = sizes[sizes.length - 1];
    Tensor one = Tensor.zeros(DType.F64, Shape.of(n, n));
    for (long i = 0; i < n; i++) {
      one.set(4.0, i, i);
    }
    return Ops.add(any(sizes), one);
  }

  static void into(List<Sample> all) {
    all.add(Sample.of("linalg_inv_ex", firm(3, 3), false));
    all.add(Sample.of("linalg_inv_ex", firm(2, 2, 2), false));
    all.add(Sample.of("linalg_det", firm(3, 3)));
    all.add(Sample.of("linalg_det", firm(2, 2, 2)));
    all.add(Sample.of("linalg_slogdet", firm(2, 2, 2)).firstOnly());
    all.add(Sample.of("logdet", firm(3, 3)));
    all.add(Sample.of("linalg_solve_ex", firm(2, 2), any(2, 3), true, false));
    all.add(Sample.of("linalg_solve_ex", firm(2, 2), any(2), true, false));
    all.add(Sample.of("linalg_solve_ex", firm(3, 2, 2), any(1, 2), false, false));
    all.add(Sample.of("linalg_matrix_power", firm(2, 2), 3));
  }

  /** Of a matrix that is made symmetric on the way, as differences would not keep it so. */
  static Tensor root(Tensor a, boolean upper) {
    Tensor even = Ops.matmul(a, Ops.transpose(a, -2, -1));
    return Ops.linalgCholeskyEx(even, upper, true)[0];
  }
}
