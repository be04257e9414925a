package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import org.junit.jupiter.api.Test;

final class LinearAlgebraTest {
  private static Tensor ones(long... sizes) {
    return Tensor.ones(Shape.of(sizes));
  }

  @Test
  void aVectorProductIsTheMatrixProductWithOneColumn() {
    for (DType dtype : new DType[] {DType.F32, DType.F64, DType.I64}) {
      Tensor a = Arrangements.random(dtype, 1, 37, 1500);
      Tensor x = Arrangements.random(dtype, 2, 1500);
      Tensor expected = Ops.mm(a.to(DType.F64), x.to(DType.F64).unsqueeze(1)).squeeze(1);
      for (Tensor layout : Arrangements.of(a)) {
        Tensor y = Ops.mv(layout, x);
        assertThat(y.to(DType.F64).allClose(expected, 1e-4, 1e-3, false)).isTrue();
      }
      assertThat(Ops.dot(x, x).getDouble()).isPositive();
    }
  }

  @Test
  void batchesAreMultipliedOneByOne() {
    Tensor a = Arrangements.random(DType.F32, 1, 3, 4, 5);
    Tensor b = Arrangements.random(DType.F32, 2, 3, 5, 6);
    Tensor c = Ops.bmm(a, b);
    for (int i = 0; i < 3; i++) {
      assertThat(c.select(0, i).equal(Ops.mm(a.select(0, i), b.select(0, i)))).isTrue();
    }
    assertThat(Ops.bmm(ones(0, 2, 3), ones(0, 3, 2)).shape()).isEqualTo(Shape.of(0, 2, 2));
    Tensor added = Ops.baddbmm(ones(6), a, b, Scalar.of(2), Scalar.ONE);
    assertThat(added.getFloat(0, 0, 0)).isEqualTo(c.getFloat(0, 0, 0) + 2);
  }

  @Test
  void matmulFollowsTheDimensions() {
    assertThat(Ops.matmul(ones(3), ones(3)).shape()).isEqualTo(Shape.scalar());
    assertThat(Ops.matmul(ones(2, 3), ones(3)).shape()).isEqualTo(Shape.of(2));
    assertThat(Ops.matmul(ones(3), ones(3, 4)).shape()).isEqualTo(Shape.of(4));
    assertThat(Ops.matmul(ones(5, 1, 2, 3), ones(7, 3, 4)).shape()).isEqualTo(Shape.of(5, 7, 2, 4));
    assertThat(Ops.matmul(ones(5, 2, 3), ones(3)).shape()).isEqualTo(Shape.of(5, 2));
    assertThat(Ops.matmul(ones(3), ones(7, 3, 4)).shape()).isEqualTo(Shape.of(7, 4));
    assertThatThrownBy(() -> Ops.matmul(ones(), ones(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1 dim");
    assertThatThrownBy(() -> Ops.matmul(ones(2, 2, 3), ones(5, 3, 2)))
        .hasMessageContaining("broadcast");
  }

  @Test
  void linearIsTheProductWithTheTransposedWeight() {
    Tensor x = Arrangements.random(DType.F32, 1, 2, 3, 4);
    Tensor w = Arrangements.random(DType.F32, 2, 5, 4);
    Tensor b = Arrangements.random(DType.F32, 3, 5);
    Tensor y = Ops.linear(x, w, b);
    assertThat(y.shape()).isEqualTo(Shape.of(2, 3, 5));
    Tensor row = Ops.linear(x.select(0, 1).select(0, 2), w, b);
    assertThat(y.select(0, 1).select(0, 2).allClose(row)).isTrue();
  }

  @Test
  void whatDoesNotFitIsRefusedWithBothShapes() {
    assertThatThrownBy(() -> Ops.mm(ones(2, 3), ones(2, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[2, 3] and [2, 3] cannot be multiplied");
    assertThatThrownBy(() -> Ops.mm(ones(3), ones(3, 3))).hasMessageContaining("matrix");
    assertThatThrownBy(() -> Ops.mm(ones(2, 2), Tensor.ones(DType.F64, Shape.of(2, 2))))
        .hasMessageContaining("same dtype");
    Tensor bools = Tensor.ones(DType.BOOL, Shape.of(2, 2));
    assertThatThrownBy(() -> Ops.mm(bools, bools)).hasMessageContaining("bool");
    assertThatThrownBy(() -> Ops.addmm(ones(4), ones(2, 3), ones(3, 3), Scalar.ONE, Scalar.ONE))
        .hasMessageContaining("does not expand to [2, 3]");
    assertThatThrownBy(() -> Ops.bmm(ones(2, 2, 2), ones(3, 2, 2)))
        .hasMessageContaining("cannot be multiplied");
    assertThatThrownBy(() -> Ops.dot(ones(2), ones(3))).hasMessageContaining("one length");
    assertThatThrownBy(() -> Ops.addmv(ones(2, 1), ones(2, 3), ones(3), Scalar.ONE, Scalar.ONE))
        .hasMessageContaining("vector");
  }
}
