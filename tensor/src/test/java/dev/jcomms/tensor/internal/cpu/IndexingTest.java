package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class IndexingTest {
  private final Tensor index = Tensor.of(0L, 2L, 1L, 1L, 0L, 0L).view(2, 3);

  @ParameterizedTest
  @EnumSource(DType.class)
  void gatherReadsAlongTheDimensionInEveryLayout(DType dtype) {
    Tensor x = Arrangements.random(dtype, 1, 3, 4);
    for (Tensor layout : Arrangements.of(x)) {
      Tensor out = Ops.gather(layout, 0, index);
      for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
          assertThat(out.getDouble(i, j)).isEqualTo(x.getDouble(index.getLong(i, j), j));
        }
      }
    }
  }

  @Test
  void scatterWritesWhereGatherReads() {
    Tensor src = Tensor.of(1f, 2f, 3f, 4f, 5f, 6f).view(2, 3);
    Tensor zeros = Tensor.zeros(Shape.of(3, 3));
    assertThat(Ops.scatter(zeros, 0, index, src).toFloatArray())
        .containsExactly(1, 5, 6, 4, 0, 3, 0, 2, 0);
    assertThat(zeros.toFloatArray()).containsOnly(0);
    Tensor twice = Tensor.of(0L, 0L, 0L).view(1, 3).expand(2, 3);
    assertThat(Ops.scatterAdd(zeros, 1, twice, src).toFloatArray())
        .containsExactly(6, 0, 0, 15, 0, 0, 0, 0, 0);
    assertThat(Ops.scatter(zeros, 1, index, Scalar.of(7)).select(0, 1).toFloatArray())
        .containsExactly(7, 7, 0);
  }

  @Test
  void indexesOutsideAreRefused() {
    Tensor x = Tensor.zeros(Shape.of(3, 3));
    Tensor bad = Tensor.of(0L, 3L, 1L).view(1, 3);
    assertThatThrownBy(() -> Ops.gather(x, 0, bad))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("index=3 is out of range of dim=0 of size=3");
    assertThatThrownBy(() -> Ops.scatterAdd(x, 0, bad, x))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Ops.indexSelect(x, 0, Tensor.of(-1L)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Ops.gather(x, 0, Tensor.of(0L))).hasMessageContaining("as many dims");
    assertThatThrownBy(() -> Ops.gather(x, 0, bad.to(DType.I16))).hasMessageContaining("i16");
    assertThatThrownBy(() -> Ops.scatter(x, 0, index, Tensor.zeros(DType.F64, Shape.of(2, 3))))
        .hasMessageContaining("same dtype");
    assertThatThrownBy(() -> Ops.gather(x, 0, Tensor.zeros(DType.I64, Shape.of(1, 4))))
        .hasMessageContaining("larger");
  }

  @Test
  void anEmptyIndexChangesNothing() {
    Tensor x = Tensor.ones(Shape.of(2, 2));
    Tensor none = Tensor.zeros(DType.I64, Shape.of(0));
    assertThat(Ops.gather(x, 0, none).shape()).isEqualTo(Shape.of(0));
    assertThat(Ops.scatterAdd(x, 0, none, x).equal(x)).isTrue();
    assertThat(Ops.indexSelect(x, 1, none).shape()).isEqualTo(Shape.of(2, 0));
  }

  @Test
  void slicesAreSelectedAndAddedByIndex() {
    Tensor x = Tensor.arange(12).view(3, 4);
    Tensor at = Tensor.of(2L, 0L, 2L);
    assertThat(Ops.indexSelect(x, 0, at).select(1, 0).toLongArray()).containsExactly(8, 0, 8);
    assertThat(Ops.indexSelect(x.t(), 1, at).select(0, 0).toLongArray()).containsExactly(8, 0, 8);
    Tensor ones = Tensor.ones(DType.I64, Shape.of(3, 4));
    assertThat(Ops.indexAdd(x, 0, at, ones, Scalar.of(10)).select(1, 0).toLongArray())
        .containsExactly(10, 4, 28);
    assertThat(Ops.indexSelect(Tensor.scalar(5L), 0, Tensor.of(0L)).getLong()).isEqualTo(5);
    assertThat(Ops.indexFill(x, 0, Tensor.of(-1L), Scalar.of(9)).select(0, 2).toLongArray())
        .containsOnly(9);
  }

  @Test
  void indexesTogetherKeepTheirPlaceAndApartComeFirst() {
    Tensor x = Tensor.arange(24).view(2, 3, 4);
    Tensor i = Tensor.of(0L, 1L);
    Tensor j = Tensor.of(2L, -1L).view(2, 1);
    assertThat(Ops.index(x, Arrays.asList(null, i, j)).shape()).isEqualTo(Shape.of(2, 2, 2));
    assertThat(Ops.index(x, Arrays.asList(null, i, j)).view(-1).toLongArray())
        .containsExactly(2, 6, 3, 7, 14, 18, 15, 19);
    assertThat(Ops.index(x, Arrays.asList(i, null, j)).shape()).isEqualTo(Shape.of(2, 2, 3));
    assertThat(Ops.index(x, Arrays.asList(i, null, j)).view(-1).toLongArray())
        .containsExactly(2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23);
    for (Tensor layout : Arrangements.of(x)) {
      assertThat(Ops.index(layout, List.of(i)).equal(x)).isTrue();
    }
  }

  @Test
  void masksStandForWhereTheyAreTrue() {
    Tensor x = Tensor.arange(6).view(2, 3);
    Tensor mask = Tensor.of(true, false, true, false, false, true).view(2, 3);
    assertThat(Ops.index(x, List.of(mask)).toLongArray()).containsExactly(0, 2, 5);
    assertThat(Ops.maskedSelect(x, mask).toLongArray()).containsExactly(0, 2, 5);
    assertThat(Ops.nonzero(mask).view(-1).toLongArray()).containsExactly(0, 0, 0, 2, 1, 2);
    assertThat(Ops.maskedFill(x, mask, Scalar.of(-1)).view(-1).toLongArray())
        .containsExactly(-1, 1, -1, 3, 4, -1);
    assertThatThrownBy(() -> Ops.index(x, List.of(Tensor.of(true, false, true))))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("mask of shape=[3]");
    assertThatThrownBy(() -> Ops.maskedFill(x, x, Scalar.ONE)).hasMessageContaining("bool");
    assertThat(Ops.nonzero(Tensor.scalar(1.0)).shape()).isEqualTo(Shape.of(1, 0));
    assertThat(Ops.nonzero(Tensor.of(Float.NaN, -0f)).toLongArray()).containsExactly(0);
  }

  @Test
  void puttingOverwritesOrAddsUp() {
    Tensor x = Tensor.zeros(Shape.of(3));
    Tensor at = Tensor.of(0L, 0L, -1L);
    Tensor values = Tensor.of(1f, 2f, 4f);
    assertThat(Ops.indexPut(x, List.of(at), values, true).toFloatArray()).containsExactly(3, 0, 4);
    assertThat(Ops.indexPut(x, List.of(at), values, false).toFloatArray()).containsExactly(2, 0, 4);
    assertThatThrownBy(() -> Ops.indexPut(x, List.of(at), values.to(DType.F64), false))
        .hasMessageContaining("values must be f32");
    assertThatThrownBy(() -> Ops.indexPut(x, List.of(at), Tensor.of(1f, 2f), false))
        .hasMessageContaining("broadcast");
    assertThatThrownBy(() -> Ops.index(x, List.of(at, at)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void anExpandedTensorKeepsWhatWasWrittenToAnyOfItsElements() {
    Tensor row = Tensor.zeros(Shape.of(1, 3));
    Tensor mask = Tensor.of(true, false, false, false, false, false).view(2, 3);
    Ops.maskedFill_(row.expand(2, 3), mask, Scalar.of(5));
    assertThat(row.view(-1).toFloatArray()).containsExactly(5, 0, 0);
  }

  @Test
  void anEmbeddingsGradientAddsUpRowsButNotThePadding() {
    Tensor grad = Tensor.ones(Shape.of(4, 2));
    Tensor at = Tensor.of(1L, 1L, 2L, 0L);
    assertThat(Ops.embeddingDenseBackward(grad, at, 4, 2, false).toFloatArray())
        .containsExactly(1, 1, 2, 2, 0, 0, 0, 0);
    assertThat(Ops.embeddingDenseBackward(grad, at, 4, -1, true).toFloatArray())
        .containsExactly(1, 1, 1, 1, 1, 1, 0, 0);
    assertThat(Ops.embedding(Tensor.arange(6).view(3, 2), at, -1, false, false).shape())
        .isEqualTo(Shape.of(4, 2));
  }
}
