package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ViewsTest {
  private final Tensor matrix = Tensor.arange(6).view(2, 3);

  static List<Golden.Viewed> goldens() {
    return Golden.viewed();
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void viewGivesPyTorchsStridesOrRefusesWherePyTorchDoes(Golden.Viewed golden) {
    Tensor t =
        Tensor.over(
            Storage.allocate(4096), DType.F32, Shape.of(golden.sizes()), golden.strides(), 3);
    if (golden.newStrides() == null) {
      assertThatThrownBy(() -> t.view(golden.newSizes())).hasMessageContaining("without a copy");
      assertThat(t.reshape(golden.newSizes()).storage()).isNotSameAs(t.storage());
    } else {
      Tensor view = t.view(golden.newSizes());
      assertThat(view.strides()).isEqualTo(golden.newStrides());
      assertThat(view.offset()).isEqualTo(3);
      assertThat(t.reshape(golden.newSizes()).storage()).isSameAs(t.storage());
    }
  }

  @Test
  void aViewSharesItsStorageAndACopyDoesNot() {
    assertThat(matrix.t().storage()).isSameAs(matrix.storage());
    assertThat(matrix.copy().storage()).isNotSameAs(matrix.storage());
    Tensor column = matrix.select(1, -1);
    column.fill(9);
    assertThat(matrix.toLongArray()).containsExactly(0, 1, 9, 3, 4, 9);
    matrix.setLong(5, 1, 2);
    assertThat(column.toLongArray()).containsExactly(9, 5);
  }

  @Test
  void stridesAndOffsetsCountElements() {
    assertThat(matrix.strides()).containsExactly(3, 1);
    assertThat(matrix.t().strides()).containsExactly(1, 3);
    assertThat(matrix.select(0, 1).offset()).isEqualTo(3);
    assertThat(matrix.slice(1, 1, 3, 2).strides()).containsExactly(3, 1); // one index left: no step
    assertThat(matrix.slice(1, 0, 3, 2).strides()).containsExactly(3, 2);
    assertThat(Tensor.of(1L).expand(4).strides()).containsExactly(0);
    matrix.strides()[0] = 99;
    assertThat(matrix.strides()).containsExactly(3, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 6, 1, '0,1,2,3,4,5'",
    "1, 4, 1, '1,2,3'",
    "-2, 6, 1, '4,5'",
    "0, -1, 2, '0,2,4'",
    "-99, 99, 4, '0,4'",
    "4, 2, 1, ''",
    "9, 12, 1, ''",
    "0, 9223372036854775807, 5, '0,5'",
    "1, 6, 9223372036854775807, '1'",
  })
  void sliceClampsAsPythonDoes(long start, long end, long step, String expected) {
    long[] values = Tensor.arange(6).slice(0, start, end, step).toLongArray();
    assertThat(values)
        .containsExactly(
            List.of(expected.split(",")).stream()
                .filter(s -> !s.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray());
  }

  @Test
  void whatLiesOutsideIsRefusedWithItsNumbers() {
    assertThatThrownBy(() -> matrix.narrow(1, 2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("narrow: start=2 length=2 does not fit dim=1 of size=3");
    assertThatThrownBy(() -> matrix.narrow(1, 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> matrix.narrow(1, -4, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> matrix.narrow(1, Long.MAX_VALUE, Long.MAX_VALUE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(matrix.narrow(1, -2, 2).toLongArray()).containsExactly(1, 2, 4, 5);
    assertThatThrownBy(() -> matrix.select(0, 2))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("select: index=2 is out of range of dim=0 of size=2");
    assertThatThrownBy(() -> matrix.select(2, 0))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage(
            "dim=2 is not a dimension of i64 shape=[2, 3] strides=[3, 1] offset=0 (dims 2)");
    assertThatThrownBy(() -> matrix.slice(0, 0, 1, 0)).hasMessage("slice: step=0 must be positive");
    assertThatThrownBy(() -> matrix.permute(0))
        .hasMessage("permute: order=[0] has 1 dims; tensor has 2");
    assertThatThrownBy(() -> matrix.permute(0, -2))
        .hasMessage("permute: order=[0, -2] names dim=0 twice");
    assertThatThrownBy(() -> matrix.unsqueeze(0).t()).hasMessageContaining("has more than 2 dims");
  }

  @Test
  void viewSaysWhichStridesStandInItsWay() {
    assertThatThrownBy(() -> matrix.t().view(6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "view: shape=[6] cannot be seen over i64 shape=[3, 2] strides=[1, 3] offset=0"
                + " without a copy; use reshape or contiguous");
    assertThat(matrix.t().reshape(6).toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
    assertThat(matrix.t().flatten().toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
    assertThat(matrix.flatten().storage()).isSameAs(matrix.storage());
  }

  @Test
  void minusOneIsWhateverIsLeft() {
    assertThat(matrix.view(3, -1).shape()).isEqualTo(Shape.of(3, 2));
    assertThat(matrix.view(Shape.of(6)).shape()).isEqualTo(Shape.of(6));
    assertThat(Tensor.empty(Shape.of(0, 3)).view(-1, 3).shape()).isEqualTo(Shape.of(0, 3));
    assertThatThrownBy(() -> matrix.view(4, -1))
        .hasMessage(
            "view: shape=[4, -1] does not hold the 6 elements of i64 shape=[2, 3] strides=[3, 1] offset=0");
    assertThatThrownBy(() -> matrix.reshape(7))
        .hasMessageStartingWith("reshape: shape=[7] does not hold");
    assertThatThrownBy(() -> matrix.view(-1, -1))
        .hasMessage("view: only one size can be -1; asked for [-1, -1]");
    assertThatThrownBy(() -> Tensor.empty(Shape.of(0)).view(-1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> matrix.view(-2, -3)).hasMessageContaining("is negative");
  }

  @Test
  void expandRepeatsOnesAndRefusesTheRest() {
    Tensor row = Tensor.of(1L, 2, 3);
    assertThat(row.expand(2, -1).toLongArray()).containsExactly(1, 2, 3, 1, 2, 3);
    assertThat(row.unsqueeze(1).expand(3, 2).toLongArray()).containsExactly(1, 1, 2, 2, 3, 3);
    assertThat(Tensor.of(1L).expand(0).elements()).isZero();
    assertThatThrownBy(() -> row.expand(4)).hasMessage("expand: shape=[3] does not expand to [4]");
    assertThatThrownBy(() -> row.expand(-1, 3))
        .hasMessage("expand: shape=[3] does not expand to [-1, 3]");
    assertThatThrownBy(() -> matrix.expand(3))
        .hasMessage("expand: shape=[2, 3] does not expand to [3]");
  }

  @Test
  void aScalarTransposesAndSqueezesToItself() {
    Tensor scalar = Tensor.scalar(5);
    assertThat(scalar.t()).isSameAs(scalar);
    assertThat(scalar.transpose(0, -1)).isSameAs(scalar);
    assertThat(scalar.squeeze(0)).isSameAs(scalar);
    assertThat(scalar.flatten().shape()).isEqualTo(Shape.of(1));
    assertThat(scalar.view(1, 1).squeeze().shape()).isEqualTo(Shape.scalar());
    assertThatThrownBy(() -> scalar.select(0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void anEmptyViewMayStartPastTheEnd() {
    Tensor odd = Tensor.arange(5).slice(0, 0, 5, 2);
    Tensor none = odd.narrow(0, 3, 0);
    assertThat(none.isContiguous()).isTrue();
    assertThat(none.segment().byteSize()).isZero();
    assertThat(none.fill(1).copy().elements()).isZero();
  }

  @Test
  void segmentIsExactlyTheTensorsBytesOrRefused() {
    assertThat(matrix.segment()).isEqualTo(matrix.storage().segment());
    assertThat(matrix.select(0, 1).segment().byteSize()).isEqualTo(24);
    assertThat(matrix.select(0, 1).segment().address()).isEqualTo(matrix.segment().address() + 24);
    assertThatThrownBy(() -> matrix.t().segment())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "segment: tensor is not contiguous: i64 shape=[3, 2] strides=[1, 3] offset=0;"
                + " use contiguous()");
  }

  @Test
  void overRefusesWhatLiesOutsideTheStorage() {
    Storage storage = Storage.allocate(40);
    Tensor t = Tensor.over(storage, DType.F64, Shape.of(2, 2), new long[] {2, 1}, 1);
    assertThat(t.offset()).isEqualTo(1);
    long[][] bad = {
      {2, 1, 2}, {3, 1, 1}, {-1, 1, 2}, {1, 1, -1}, {Long.MAX_VALUE, 1, 0}, {0, 0, 5}
    };
    for (long[] b : bad) {
      assertThatThrownBy(
              () -> Tensor.over(storage, DType.F64, Shape.of(2, 2), new long[] {b[0], b[1]}, b[2]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("offset=" + b[2] + " of f64 does not fit memory of elements=5");
    }
    assertThatThrownBy(() -> Tensor.over(storage, DType.F64, Shape.of(2), new long[0], 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDimensionIsNotCutToAnInt() {
    Tensor x = Tensor.arange(6).view(2, 3);
    long far = 1L << 32;
    for (Runnable view :
        new Runnable[] {
          () -> Ops.select(x, far, 0),
          () -> Ops.slice(x, far, 0L, 1L, 1),
          () -> Ops.unsqueeze(x, far),
          () -> Ops.squeeze(x, far),
          () -> Ops.transpose(x, far, 1)
        }) {
      assertThatThrownBy(view::run)
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("dim=" + far);
    }
  }
}
