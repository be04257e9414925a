package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.DType.F32;
import static dev.jcomms.tensor.DType.F64;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/**
 * C = alpha A B + beta C for any dtype, in the threads that the size is worth.
 *
 * <p>The narrow floats are widened to f32, summed there and rounded once at the end.
 */
final class Gemm {
  private static final long FLOPS_A_THREAD = 1L << 21;

  private Gemm() {}

  /** C, which nobody else sees yet, is contiguous and not read if beta is zero. */
  static void run(Tensor a, Tensor b, Tensor c, Scalar alpha, Scalar beta) {
    switch (c.dtype()) {
      case F32 -> blocked(BlockedGemm.FLOATS, a, b, c, alpha.toDouble(), beta.toDouble());
      case F64 -> blocked(BlockedGemm.DOUBLES, a, b, c, alpha.toDouble(), beta.toDouble());
      case I64, I32, I16, I8, U8 ->
          IntegerGemm.run(Dense.settled(a), Dense.settled(b), c, alpha.toLong(), beta.toLong());
      case F16, BF16, F8E4M3, F8E5M2 -> {
        Tensor wide = beta.toDouble() == 0 ? Tensor.empty(F32, c.shape()) : c.to(F32);
        blocked(BlockedGemm.FLOATS, a.to(F32), b.to(F32), wide, alpha.toDouble(), beta.toDouble());
        c.copyFrom(wide);
      }
      case BOOL -> {
        if (c.elements() > 0 && a.elements() > 0) {
          throw Refusals.dtype("matrix product", c.dtype());
        }
        if (!beta.toBoolean()) {
          c.zero();
        }
      }
    }
  }

  private static void blocked(
      BlockedGemm<?> gemm, Tensor x, Tensor y, Tensor c, double alpha, double beta) {
    Tensor a = Dense.settled(x);
    Tensor b = Dense.settled(y);
    long[] as = a.strides();
    long[] bs = b.strides();
    long[] cs = c.strides();
    GemmJob job =
        new GemmJob(
            c.dtype().bytes(),
            (int) a.shape().size(0),
            (int) b.shape().size(1),
            (int) a.shape().size(1),
            alpha,
            Dense.address(a),
            as[0],
            as[1],
            Dense.address(b),
            bs[0],
            bs[1],
            beta,
            Dense.address(c),
            cs[0],
            cs[1]);
    if (gemm == BlockedGemm.FLOATS && (job.n() == 1 || job.m() == 1)) {
      FloatGemv.run(job);
    } else {
      split(job, gemm);
    }
    Reference.reachabilityFence(a);
    Reference.reachabilityFence(b);
    Reference.reachabilityFence(c);
  }

  /**
   * Cuts the longer side of C: each thread packs the whole of one operand and its part of the
   * other.
   */
  private static void split(GemmJob job, BlockedGemm<?> gemm) {
    int m = job.m();
    int n = job.n();
    long flops = 2L * m * n * Math.max(1, job.k());
    if (m == 0 || n == 0) {
      return;
    }
    boolean byRows = m >= n;
    int side = byRows ? m : n;
    long grain = Math.max(16, side * FLOPS_A_THREAD / Math.max(1, flops));
    Parallel.run(
        side,
        grain,
        (from, to) -> {
          int at = (int) from;
          int count = (int) (to - from);
          gemm.run(byRows ? job.part(at, count, 0, n) : job.part(0, m, at, count));
        });
  }
}
