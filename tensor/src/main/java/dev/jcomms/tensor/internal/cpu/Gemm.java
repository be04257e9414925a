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
      case F32 -> floats(a, b, c, alpha.toDouble(), beta.toDouble());
      case F64 -> doubles(a, b, c, alpha.toDouble(), beta.toDouble());
      case I64, I32, I16, I8, U8 ->
          IntegerGemm.run(Dense.settled(a), Dense.settled(b), c, alpha.toLong(), beta.toLong());
      case F16, BF16, F8E4M3, F8E5M2 -> {
        Tensor wide = beta.toDouble() == 0 ? Tensor.empty(F32, c.shape()) : c.to(F32);
        floats(a.to(F32), b.to(F32), wide, alpha.toDouble(), beta.toDouble());
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

  private static void floats(Tensor x, Tensor y, Tensor c, double alpha, double beta) {
    Tensor a = Dense.settled(x);
    Tensor b = Dense.settled(y);
    int m = (int) a.shape().size(0);
    int k = (int) a.shape().size(1);
    int n = (int) b.shape().size(1);
    long[] as = a.strides();
    long[] bs = b.strides();
    FloatGemm.Job job =
        new FloatGemm.Job(
            m,
            n,
            k,
            alpha,
            Dense.address(a),
            as[0],
            as[1],
            Dense.address(b),
            bs[0],
            bs[1],
            beta,
            Dense.address(c),
            c.strides()[0],
            c.strides()[1]);
    if (n == 1 || m == 1) {
      FloatGemv.run(job);
    } else {
      split(m, n, k, (r, rows, s, columns) -> FloatGemm.run(job.part(r, rows, s, columns)));
    }
    Reference.reachabilityFence(a);
    Reference.reachabilityFence(b);
    Reference.reachabilityFence(c);
  }

  private static void doubles(Tensor x, Tensor y, Tensor c, double alpha, double beta) {
    Tensor a = Dense.settled(x);
    Tensor b = Dense.settled(y);
    int m = (int) a.shape().size(0);
    int k = (int) a.shape().size(1);
    int n = (int) b.shape().size(1);
    long[] as = a.strides();
    long[] bs = b.strides();
    DoubleGemm.Job job =
        new DoubleGemm.Job(
            m,
            n,
            k,
            alpha,
            Dense.address(a),
            as[0],
            as[1],
            Dense.address(b),
            bs[0],
            bs[1],
            beta,
            Dense.address(c),
            c.strides()[0],
            c.strides()[1]);
    split(m, n, k, (r, rows, s, columns) -> DoubleGemm.run(job.part(r, rows, s, columns)));
    Reference.reachabilityFence(a);
    Reference.reachabilityFence(b);
    Reference.reachabilityFence(c);
  }

  private interface Part {
    void run(int row, int rows, int column, int columns);
  }

  /**
   * Cuts the longer side of C: each thread packs the whole of one operand and its part of the
   * other.
   */
  private static void split(int m, int n, int k, Part part) {
    long flops = 2L * m * n * Math.max(1, k);
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
          if (byRows) {
            part.run(at, count, 0, n);
          } else {
            part.run(0, m, at, count);
          }
        });
  }
}
