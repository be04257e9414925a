package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ArrangingTest {
  @Test
  void tensorsJoinAlongADimensionAndPromote() {
    Tensor a = Tensor.arange(4).view(2, 2);
    Tensor b = Tensor.of(9f, 8f).view(2, 1);
    Tensor out = Ops.cat(List.of(a, b, Tensor.zeros(DType.BOOL, Shape.of(0))), -1);
    assertThat(out.dtype()).isEqualTo(DType.F32);
    assertThat(out.view(-1).toFloatArray()).containsExactly(0, 1, 9, 2, 3, 8);
    assertThat(Ops.stack(List.of(a, a), 1).shape()).isEqualTo(Shape.of(2, 2, 2));
    assertThatThrownBy(() -> Ops.cat(List.of(a, b), 0)).hasMessageContaining("sizes must match");
    assertThatThrownBy(() -> Ops.cat(List.of(), 0)).hasMessageContaining("without tensors");
    assertThatThrownBy(() -> Ops.cat(List.of(Tensor.scalar(1L)), 0)).hasMessageContaining("0-d");
    assertThatThrownBy(() -> Ops.stack(List.of(a, b), 0)).hasMessageContaining("one shape");
  }

  @Test
  void flippingTwiceIsNothing() {
    Tensor x = Arrangements.random(DType.I32, 1, 2, 3, 4);
    for (Tensor layout : Arrangements.of(x)) {
      Tensor flipped = Ops.flip(layout, new long[] {0, -1});
      assertThat(flipped.getLong(0, 1, 0)).isEqualTo(x.getLong(1, 1, 3));
      assertThat(Ops.flip(flipped, new long[] {0, 2}).equal(x)).isTrue();
    }
    assertThatThrownBy(() -> Ops.flip(x, new long[] {0, -3})).hasMessageContaining("twice");
  }

  @Test
  void rollingComesRound() {
    Tensor x = Tensor.arange(6).view(2, 3);
    assertThat(Ops.roll(x, new long[] {1}, new long[] {}).view(-1).toLongArray())
        .containsExactly(5, 0, 1, 2, 3, 4);
    assertThat(Ops.roll(x, new long[] {1, -4}, new long[] {0, 1}).view(-1).toLongArray())
        .containsExactly(4, 5, 3, 1, 2, 0);
    assertThatThrownBy(() -> Ops.roll(x, new long[] {1, 2}, new long[] {0}))
        .hasMessageContaining("2 shifts for 1 dims");
  }

  @Test
  void trianglesShareTheirDiagonal() {
    Tensor x = Tensor.ones(Shape.of(2, 3));
    assertThat(Ops.tril(x, 0).toFloatArray()).containsExactly(1, 0, 0, 1, 1, 0);
    assertThat(Ops.triu(x, 1).toFloatArray()).containsExactly(0, 1, 1, 0, 0, 1);
    assertThat(Ops.tril(x, -5).toFloatArray()).containsOnly(0);
    assertThat(Ops.tril(x, Long.MAX_VALUE).toFloatArray()).containsOnly(1);
    assertThat(Ops.triu(x, Long.MAX_VALUE).toFloatArray()).containsOnly(0);
    assertThat(Ops.triu(x, Long.MIN_VALUE).toFloatArray()).containsOnly(1);
    assertThatThrownBy(() -> Ops.tril(x.select(0, 0), 0)).hasMessageContaining("matrices");
  }

  @Test
  void paddingAddsAndTakesAway() {
    Tensor x = Tensor.arange(4).view(2, 2);
    assertThat(Ops.constantPadNd(x, new long[] {1, -1, 0, 1}, Scalar.of(7)).view(-1).toLongArray())
        .containsExactly(7, 0, 7, 2, 7, 7);
  }

  @Test
  void sortingIsStableAndPutsNanLast() {
    Tensor x = Tensor.of(2f, Float.NaN, -0f, 0f, Float.NEGATIVE_INFINITY, 2f, -1f);
    Tensor[] up = Ops.sort(x, true, 0, false);
    assertThat(up[1].toLongArray()).containsExactly(4, 6, 2, 3, 0, 5, 1);
    Tensor[] down = Ops.sort(x, true, 0, true);
    assertThat(down[1].toLongArray()).containsExactly(1, 0, 5, 2, 3, 6, 4);
    assertThat(Ops.topk(x, 2, 0, true, true)[0].toFloatArray()).containsExactly(Float.NaN, 2);
    assertThatThrownBy(() -> Ops.topk(x, 8, 0, true, true)).hasMessageContaining("k=8");
  }

  @Test
  void theFirstFewAreThoseThatSortingPutsFirst() {
    Tensor x = Tensor.random(DType.U8, Shape.of(3, 500), 4).to(DType.F32); // many are equal
    for (boolean largest : new boolean[] {true, false}) {
      Tensor[] sorted = Ops.sort(x, true, 1, largest);
      for (long k : new long[] {0, 1, 7, 62, 63, 500}) {
        Tensor[] top = Ops.topk(x, k, 1, largest, true);
        assertThat(top[0].equal(sorted[0].narrow(1, 0, k))).isTrue();
        assertThat(top[1].equal(sorted[1].narrow(1, 0, k))).isTrue();
      }
    }
  }

  @Test
  void longLinesOfEveryDtypeSortAsJavaSorts() {
    Random random = new Random(3);
    for (DType dtype : new DType[] {DType.F64, DType.F32, DType.F16, DType.I64, DType.U8}) {
      for (int n : new int[] {0, 1, 15, 16, 17, 33, 1000}) {
        Tensor x = Tensor.empty(dtype, Shape.of(2, n));
        for (int i = 0; i < 2 * n; i++) {
          x.set(random.nextInt(dtype == DType.U8 ? 0 : -500, 256), i / Math.max(1, n), i % n);
        }
        Tensor[] out = Ops.sort(x, true, 1, false);
        for (int row = 0; row < 2; row++) {
          double[] expected = x.select(0, row).toDoubleArray();
          int[] order =
              IntStream.range(0, n)
                  .boxed()
                  .sorted((a, b) -> Double.compare(expected[a], expected[b]))
                  .mapToInt(Integer::intValue)
                  .toArray();
          assertThat(out[1].select(0, row).toIntArray()).containsExactly(order);
        }
      }
    }
  }
}
