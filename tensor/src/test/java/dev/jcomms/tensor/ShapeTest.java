package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ShapeTest {
  @Test
  void sizesAreCountedFromBothEnds() {
    Shape shape = Shape.of(2, 3, 4);
    assertThat(shape.dims()).isEqualTo(3);
    assertThat(shape.elements()).isEqualTo(24);
    assertThat(shape.size(0)).isEqualTo(2);
    assertThat(shape.size(-1)).isEqualTo(4);
    assertThat(shape.size(-3)).isEqualTo(2);
    assertThat(shape).hasToString("[2, 3, 4]");
    assertThatThrownBy(() -> shape.size(3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("dim=3 is not a dimension of [2, 3, 4] (dims 3)");
    assertThatThrownBy(() -> shape.size(-4)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aScalarHasNoDimensionAndOneElement() {
    assertThat(Shape.scalar().dims()).isZero();
    assertThat(Shape.scalar().elements()).isOne();
    assertThat(Shape.of()).isEqualTo(Shape.scalar()).hasToString("[]");
    assertThatThrownBy(() -> Shape.scalar().size(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void equalSizesMakeEqualShapes() {
    assertThat(Shape.of(2, 3)).isEqualTo(Shape.of(2, 3)).hasSameHashCodeAs(Shape.of(2, 3));
    assertThat(Shape.of(2, 3)).isNotEqualTo(Shape.of(3, 2)).isNotEqualTo(Shape.of(2, 3, 1));
  }

  @Test
  void callersCannotReachTheSizes() {
    long[] sizes = {2, 3};
    Shape shape = Shape.of(sizes);
    sizes[0] = 9;
    shape.toArray()[1] = 9;
    assertThat(shape).isEqualTo(Shape.of(2, 3));
  }

  @Test
  void negativeSizesAreRefused() {
    assertThatThrownBy(() -> Shape.of(2, -3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shape [2, -3]: size=-3 of dim=1 is negative");
  }

  @Test
  void moreElementsThanALongCountsAreRefusedEvenBesideAZero() {
    assertThat(Shape.of(Long.MAX_VALUE).elements()).isEqualTo(Long.MAX_VALUE);
    assertThat(Shape.of(1L << 31, 1L << 31).elements()).isEqualTo(1L << 62);
    for (long[] sizes :
        new long[][] {{1L << 32, 1L << 31}, {Long.MAX_VALUE, 2}, {0, Long.MAX_VALUE, 2}}) {
      assertThatThrownBy(() -> Shape.of(sizes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("has more elements than a long can count");
    }
    assertThat(Shape.of(Long.MAX_VALUE, 0).elements()).isZero();
  }

  @Test
  void moreBytesThanALongCountsAreRefusedBeforeMemoryIsAskedFor() {
    assertThatThrownBy(() -> Tensor.empty(DType.F64, Shape.of(1L << 61)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shape=[2305843009213693952] of f64 has more bytes than a long can count");
  }
}
