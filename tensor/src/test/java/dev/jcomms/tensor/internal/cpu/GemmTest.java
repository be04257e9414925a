package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.simd.VectorFloatDot;
import dev.jcomms.tensor.internal.cpu.simd.VectorTiles;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class GemmTest {
  private static final String SIZES =
      "1,1,1; 1,7,1; 3,1,5; 4,16,16; 5,17,19; 0,3,2; 2,0,3; 70,300,30; 30,33,600";

  /** Sums in f64, whatever the dtype. */
  private static double[] naive(Tensor a, Tensor b) {
    int m = (int) a.shape().size(0);
    int k = (int) a.shape().size(1);
    int n = (int) b.shape().size(1);
    double[] x = a.toDoubleArray();
    double[] y = b.toDoubleArray();
    double[] out = new double[m * n];
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        for (int l = 0; l < k; l++) {
          out[i * n + j] += x[i * k + l] * y[l * n + j];
        }
      }
    }
    return out;
  }

  private static double tolerance(DType dtype, int k) {
    return switch (dtype) {
      case F64 -> 1e-13 * (k + 1);
      case F32 -> 1e-6 * (k + 1);
      case F16 -> 0.1;
      case BF16 -> 1;
      default -> 0;
    };
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"F64", "F32", "F16", "BF16", "I64", "I32", "I16"})
  void everySizeAndLayoutGivesTheSums(DType dtype) {
    for (String size : SIZES.split(";")) {
      int[] n =
          java.util.Arrays.stream(size.strip().split(",")).mapToInt(Integer::parseInt).toArray();
      Tensor a = Arrangements.random(dtype, 1, n[0], n[1]);
      Tensor b = Arrangements.random(dtype, 2, n[1], n[2]);
      double[] expected = naive(a, b);
      for (Tensor x : Arrangements.of(a)) {
        for (Tensor y : Arrangements.of(b)) {
          Tensor c = LinearAlgebra.mm(x, y);
          assertThat(c.shape()).isEqualTo(Shape.of(n[0], n[2]));
          if (dtype != DType.I16) {
            Arrangements.assertClose(c, expected, tolerance(dtype, n[1]));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,0", "1,1", "2,0", "-0.5,3", "0,1", "0,0"})
  void alphaScalesTheProductAndBetaWhatWasThere(double alpha, double beta) {
    for (DType dtype : new DType[] {DType.F32, DType.F64}) {
      for (int inner : new int[] {0, 1, 9, 600}) {
        Tensor a = Arrangements.random(dtype, 3, 6, inner);
        Tensor b = Arrangements.random(dtype, 4, inner, 7);
        Tensor c = Arrangements.random(dtype, 5, 6, 7);
        double[] before = c.toDoubleArray();
        double[] product = naive(a, b);
        Gemm.run(a, b, c, Scalar.of(alpha), Scalar.of(beta));
        double[] after = c.toDoubleArray();
        for (int i = 0; i < after.length; i++) {
          assertThat(after[i])
              .isCloseTo(alpha * product[i] + beta * before[i], within(1e-5 * (inner + 1)));
        }
      }
    }
  }

  @Test
  void aBetaOfZeroDoesNotReadWhatWasThere() {
    Tensor nan = Tensor.full(Shape.of(2, 2), Double.NaN);
    Tensor one = Tensor.ones(Shape.of(2, 2));
    Tensor out = LinearAlgebra.addmm(nan, one, one, Scalar.ZERO, Scalar.ONE);
    assertThat(out.toFloatArray()).containsOnly(2f);
    Tensor vector =
        LinearAlgebra.addmv(nan.select(0, 0), one, one.select(0, 0), Scalar.ZERO, Scalar.ONE);
    assertThat(vector.toFloatArray()).containsOnly(2f);
  }

  @Test
  void nanAndInfinityGoThroughAsArithmeticHasIt() {
    Tensor a = Tensor.of(1f, Float.POSITIVE_INFINITY, Float.NaN, 2f).view(2, 2);
    Tensor b = Tensor.of(0f, 1f, 1f, 0f).view(2, 2);
    assertThat(LinearAlgebra.mm(a, b).toFloatArray())
        .containsExactly(Float.POSITIVE_INFINITY, Float.NaN, Float.NaN, Float.NaN);
  }

  @Test
  void everyTileGivesTheBitsOfThePlainOne() {
    Random random = new Random(7);
    for (int round = 0; round < 60; round++) {
      int m = 1 + random.nextInt(70);
      int n = 1 + random.nextInt(70);
      int k = 1 + random.nextInt(round < 50 ? 40 : 700);
      Tensor a = Arrangements.random(DType.F32, round, m, k);
      Tensor b = Arrangements.random(DType.F32, round + 100, k, n);
      Tensor plain = Tensor.empty(Shape.of(m, n));
      BlockedGemm.FLOATS.run(job(a, b, plain), new PlainFloatTile());
      for (Tile<float[]> tile : VectorTiles.allFloats()) {
        Tensor vector = Tensor.empty(Shape.of(m, n));
        BlockedGemm.FLOATS.run(job(a, b, vector), tile);
        assertThat(vector.toFloatArray()).containsExactly(plain.toFloatArray());
      }
      Tensor wideA = a.to(DType.F64);
      Tensor wideB = b.to(DType.F64);
      Tensor plainWide = Tensor.empty(DType.F64, Shape.of(m, n));
      BlockedGemm.DOUBLES.run(job(wideA, wideB, plainWide), new PlainDoubleTile());
      for (Tile<double[]> tile : VectorTiles.allDoubles()) {
        Tensor vector = Tensor.empty(DType.F64, Shape.of(m, n));
        BlockedGemm.DOUBLES.run(job(wideA, wideB, vector), tile);
        assertThat(vector.toDoubleArray()).containsExactly(plainWide.toDoubleArray());
      }
    }
  }

  @Test
  void theDotOfVectorsHasTheBitsOfThePlainOne() {
    for (int n : new int[] {0, 1, 15, 16, 17, 100, 1024}) {
      Tensor a = Arrangements.random(DType.F32, n, n);
      float[] b = Arrangements.random(DType.F32, n + 1, n).toFloatArray();
      float plain = new PlainFloatDot().dot(Dense.address(a), b, n);
      assertThat(new VectorFloatDot().dot(Dense.address(a), b, n)).isEqualTo(plain);
      double expected = 0;
      for (int i = 0; i < n; i++) {
        expected += (double) a.getFloat(i) * b[i];
      }
      assertThat((double) plain).isCloseTo(expected, within(1e-4));
    }
  }

  private static GemmJob job(Tensor a, Tensor b, Tensor c) {
    int m = (int) a.shape().size(0);
    int k = (int) a.shape().size(1);
    int n = (int) b.shape().size(1);
    int bytes = c.dtype().bytes();
    long x = Dense.address(a);
    return new GemmJob(
        bytes, m, n, k, 1, x, k, 1, Dense.address(b), n, 1, 0, Dense.address(c), n, 1);
  }
}
