package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reductions over every set of dimensions of every layout. */
class ReductionsTest {
  private interface Check {
    void of(Tensor in, boolean[] reduce, Shape shape);
  }

  /** All layouts of all shapes, all sets of dimensions that are not empty. */
  private static void everywhere(DType dtype, Check check) {
    Random random = new Random(17);
    for (long[] sizes : Layouts.SHAPES) {
      if (Shape.of(sizes).elements() == 0) {
        continue;
      }
      for (Tensor in : Layouts.of(dtype, sizes, random)) {
        for (int set = 0; set < 1 << sizes.length; set++) {
          boolean[] reduce = new boolean[sizes.length];
          long[] kept = sizes.clone();
          for (int d = 0; d < sizes.length; d++) {
            reduce[d] = (set >> d & 1) != 0;
            kept[d] = reduce[d] ? 1 : sizes[d];
          }
          check.of(in, reduce, Shape.of(kept));
        }
      }
    }
  }

  /** For each result, with its number, the elements that it is made of, in order. */
  private static double[][] groups(Tensor in, boolean[] reduce, Shape kept) {
    double[][] groups = new double[(int) kept.elements()][];
    int[] filled = new int[groups.length];
    int each = (int) (in.elements() / Math.max(1, kept.elements()));
    for (long i = 0; i < in.elements(); i++) {
      long rest = i;
      long number = 0;
      long scale = 1;
      for (int d = reduce.length - 1; d >= 0; d--) {
        long index = rest % in.shape().size(d);
        rest /= in.shape().size(d);
        if (!reduce[d]) {
          number += index * scale;
          scale *= in.shape().size(d);
        }
      }
      int g = (int) number;
      if (groups[g] == null) {
        groups[g] = new double[each];
      }
      groups[g][filled[g]++] = Layouts.at(in, in.shape(), i);
    }
    return groups;
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"F64", "F32", "F16", "I64", "I8"})
  void sums(DType dtype) {
    DType result = dtype.isFloating() ? dtype : DType.I64;
    double tolerance = dtype == DType.F64 ? 1e-11 : dtype == DType.F16 ? 0.1 : 1e-3;
    everywhere(
        dtype,
        (in, reduce, shape) -> {
          Tensor out = Tensor.empty(result, shape);
          Reductions.run(new Reductions.Recipe(Fold.SUM), result, in, reduce, out);
          double[][] groups = groups(in, reduce, shape);
          double[] got = out.toDoubleArray();
          for (int i = 0; i < got.length; i++) {
            double expected = Arrays.stream(groups[i]).sum();
            double most = tolerance * Math.max(1, Math.abs(expected) / 100);
            assertThat(got[i]).isCloseTo(expected, within(most));
          }
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"F64", "F32", "BF16", "I32"})
  void extremes(DType dtype) {
    everywhere(
        dtype,
        (in, reduce, shape) -> {
          Tensor most = Tensor.empty(dtype, shape);
          Tensor least = Tensor.empty(dtype, shape);
          Reductions.run(new Reductions.Recipe(Fold.MAX), dtype, in, reduce, most);
          Reductions.run(new Reductions.Recipe(Fold.MIN), dtype, in, reduce, least);
          Tensor values = Tensor.empty(dtype, shape);
          Tensor indexes = Tensor.empty(DType.I64, shape);
          Extremes.run(true, in, reduce, values, indexes);
          double[][] groups = groups(in, reduce, shape);
          for (int i = 0; i < groups.length; i++) {
            double expected = Arrays.stream(groups[i]).max().orElseThrow();
            assertThat(most.flatten().getDouble(i)).isEqualTo(round(dtype, expected));
            assertThat(values.flatten().getDouble(i)).isEqualTo(round(dtype, expected));
            int index = (int) indexes.flatten().getLong(i);
            assertThat(groups[i][index]).isEqualTo(expected);
            for (int j = 0; j < index; j++) {
              assertThat(groups[i][j]).isLessThan(expected); // the first of equals
            }
            assertThat(least.flatten().getDouble(i))
                .isEqualTo(round(dtype, Arrays.stream(groups[i]).min().orElseThrow()));
          }
        });
  }

  private static double round(DType dtype, double value) {
    return Tensor.scalar(dtype, value).getDouble();
  }

  @Test
  void variances() {
    everywhere(
        DType.F64,
        (in, reduce, shape) -> {
          Tensor out = Tensor.empty(DType.F64, shape);
          Tensor mean = Tensor.empty(DType.F64, shape);
          Moments.run(in, reduce, 0, false, out, mean);
          double[][] groups = groups(in, reduce, shape);
          for (int i = 0; i < groups.length; i++) {
            double m = Arrays.stream(groups[i]).average().orElseThrow();
            double v = Arrays.stream(groups[i]).map(x -> (x - m) * (x - m)).average().orElseThrow();
            assertThat(mean.flatten().getDouble(i)).isCloseTo(m, within(1e-12));
            assertThat(out.flatten().getDouble(i)).isCloseTo(v, within(1e-11));
          }
        });
  }

  @Test
  void aVarianceIsNotSpoiledByALargeMean() {
    Tensor x = Tensor.empty(DType.F32, Shape.of(1000));
    for (int i = 0; i < 1000; i++) {
      x.setFloat(10000 + i % 2, i);
    }
    Tensor out = Tensor.empty(DType.F32, Shape.scalar());
    Moments.run(x, new boolean[] {true}, 0, false, out, null);
    assertThat(out.getFloat()).isEqualTo(0.25f);
    Moments.run(Tensor.full(Shape.of(7), 0.1), new boolean[] {true}, 1, true, out, null);
    assertThat(out.getFloat()).isZero();
  }

  @Test
  void runningSumsAndProducts() {
    Random random = new Random(23);
    for (long[] sizes : Layouts.SHAPES) {
      for (int dim = 0; dim < sizes.length; dim++) {
        for (Tensor in : Layouts.of(DType.F64, sizes, random)) {
          Tensor out = Tensor.empty(DType.F64, Shape.of(sizes));
          Scans.run(Fold.SUM, DType.F64, in, dim, out);
          for (long k = 0; k < sizes[dim]; k++) {
            Tensor part = in.narrow(dim, 0, k + 1);
            Tensor sum = Tensor.empty(DType.F64, out.select(dim, k).shape());
            boolean[] reduce = new boolean[sizes.length];
            reduce[dim] = true;
            Reductions.run(new Reductions.Recipe(Fold.SUM), DType.F64, part, reduce, sum);
            assertThat(out.select(dim, k).allClose(sum, 1e-10, 1e-10, false)).isTrue();
            if (k > 20) {
              break;
            }
          }
        }
      }
    }
  }

  @Test
  void nothingFoldsToItsIdentity() {
    Tensor in = Tensor.zeros(Shape.of(0, 3));
    Tensor out = Tensor.ones(Shape.of(3));
    Reductions.run(
        new Reductions.Recipe(Fold.SUM), DType.F32, in, new boolean[] {true, false}, out);
    assertThat(out.toFloatArray()).containsExactly(0, 0, 0);
    Reductions.run(
        new Reductions.Recipe(Fold.PRODUCT), DType.F32, in, new boolean[] {true, false}, out);
    assertThat(out.toFloatArray()).containsExactly(1, 1, 1);
  }

  @Test
  void aNanIsTheMostExtreme() {
    float[] values = new float[100];
    values[50] = Float.NaN;
    values[70] = Float.NaN;
    Tensor x = Tensor.wrap(values, Shape.of(100));
    Tensor value = Tensor.empty(DType.F32, Shape.scalar());
    Tensor index = Tensor.empty(DType.I64, Shape.scalar());
    for (boolean largest : new boolean[] {true, false}) {
      Extremes.run(largest, x, new boolean[] {true}, value, index);
      assertThat(value.getFloat()).isNaN();
      assertThat(index.getLong()).isEqualTo(50);
      Fold fold = largest ? Fold.MAX : Fold.MIN;
      Reductions.run(new Reductions.Recipe(fold), DType.F32, x, new boolean[] {true}, value);
      assertThat(value.getFloat()).isNaN();
    }
  }

  @Test
  void infinitiesSumAsTheyShould() {
    float inf = Float.POSITIVE_INFINITY;
    Tensor out = Tensor.empty(DType.F32, Shape.scalar());
    boolean[] all = {true};
    Reductions.Recipe sum = new Reductions.Recipe(Fold.SUM);
    Reductions.run(sum, DType.F32, Tensor.wrap(new float[] {1, inf, 2}, Shape.of(3)), all, out);
    assertThat(out.getFloat()).isEqualTo(inf);
    Reductions.run(sum, DType.F32, Tensor.wrap(new float[] {-inf, inf}, Shape.of(2)), all, out);
    assertThat(out.getFloat()).isNaN();
  }

  @Test
  void aLongSumIsAccurateAndTheSameOnAnyNumberOfThreads() {
    int n = 3_000_000;
    Tensor x = Tensor.full(DType.F32, Shape.of(n), 0.1);
    Tensor out = Tensor.empty(DType.F32, Shape.scalar());
    int before = Parallel.threads();
    try {
      float[] sums = new float[3];
      for (int threads = 1; threads <= 3; threads++) {
        Parallel.threads(threads);
        Reductions.run(new Reductions.Recipe(Fold.SUM), DType.F32, x, new boolean[] {true}, out);
        sums[threads - 1] = out.getFloat();
      }
      assertThat(sums[0]).isCloseTo((float) (n * (double) 0.1f), within(0.3f));
      assertThat(sums).containsOnly(sums[0]);
    } finally {
      Parallel.threads(before);
    }
  }

  @Test
  void norms() {
    Tensor x = Tensor.wrap(new double[] {3, -4, 0}, Shape.of(3));
    Tensor out = Tensor.empty(DType.F64, Shape.scalar());
    double[][] expected = {
      {2, 5},
      {1, 7},
      {0, 2},
      {Double.POSITIVE_INFINITY, 4},
      {Double.NEGATIVE_INFINITY, 0},
      {3, Math.cbrt(91)}
    };
    for (double[] pair : expected) {
      Norms.run(pair[0], DType.F64, x, new boolean[] {true}, out);
      assertThat(out.getDouble()).isCloseTo(pair[1], within(1e-12));
    }
  }
}
