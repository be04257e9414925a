package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ConversionTest {
  static List<Golden.Converted> goldens() {
    return Golden.converted();
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void everyPairOfDtypesConvertsAsPyTorchDoes(Golden.Converted golden) {
    Tensor source = golden.source();
    Tensor expected = golden.target();
    Tensor bulk = source.to(expected.dtype());
    assertThat(bulk.dtype()).isSameAs(expected.dtype());
    for (long i = 0; i < expected.elements(); i++) {
      assertSame(bulk, expected, i);
      if (!source.dtype().isFloating()) {
        assertSame(
            Tensor.empty(expected.dtype(), Shape.of(1)).setLong(source.getLong(i), 0), expected, i);
      } else {
        assertSame(
            Tensor.empty(expected.dtype(), Shape.of(1)).set(source.getDouble(i), 0), expected, i);
      }
    }
  }

  /** The same value with the same sign of zero; any NaN is the same as another. */
  private static void assertSame(Tensor actual, Tensor expected, long i) {
    long at = actual.elements() == 1 ? 0 : i;
    assertThat(Double.doubleToLongBits(actual.getDouble(at)))
        .as("element %d: %s, not %s", i, actual.getDouble(at), expected.getDouble(i))
        .isEqualTo(Double.doubleToLongBits(expected.getDouble(i)));
    assertThat(actual.getLong(at)).as("element %d", i).isEqualTo(expected.getLong(i));
  }

  @Test
  void aDtypesOwnTensorIsReturnedAsItIs() {
    Tensor x = Tensor.of(1f, 2f);
    assertThat(x.to(DType.F32)).isSameAs(x);
  }

  @Test
  void integersRoundOnceOnTheirWayToFloat() {
    long value = (1L << 60) + (1L << 36) + 1; // through double it would tie and round down
    Tensor x = Tensor.of(value);
    assertThat(x.to(DType.F32).getFloat(0))
        .isEqualTo((float) value)
        .isNotEqualTo((float) (double) value);
    assertThat(x.getFloat(0)).isEqualTo((float) value);
    assertThat(Tensor.full(DType.F32, Shape.of(1), value).getFloat(0)).isEqualTo((float) value);
    assertThat(x.toFloatArray()).containsExactly((float) value);
  }

  @Test
  void floatsBeyondAnIntegerAreClampedToLongAndThenWrapped() {
    Tensor x = Tensor.of(Double.NaN, 1e300, -1e300, 3e9, 300, -1);
    assertThat(x.to(DType.I64).toLongArray())
        .containsExactly(0, Long.MAX_VALUE, Long.MIN_VALUE, 3_000_000_000L, 300, -1);
    assertThat(x.to(DType.I32).toIntArray()).containsExactly(0, -1, 0, -1_294_967_296, 300, -1);
    assertThat(x.to(DType.I8).toByteArray()).containsExactly(0, -1, 0, 0, 44, -1);
    assertThat(x.to(DType.U8).toIntArray()).containsExactly(0, 255, 0, 0, 44, 255);
    assertThat(x.getInt(3)).isEqualTo(-1_294_967_296);
  }

  @Test
  void floatsOfNoMoreBitsThanAnIntAreClampedToIt() {
    for (DType dtype : List.of(DType.F32, DType.BF16)) {
      Tensor x = Tensor.of(Double.NaN, 1e30, -1e30, 3e9, 300, -1).to(dtype);
      assertThat(x.to(DType.I32).toIntArray())
          .containsExactly(0, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE, 300, -1);
      assertThat(x.to(DType.I16).toLongArray()).containsExactly(0, -1, 0, -1, 300, -1);
      assertThat(x.to(DType.I8).toByteArray()).containsExactly(0, -1, 0, -1, 44, -1);
    }
    assertThat(Tensor.of(3e9f).to(DType.U8).getInt(0)).isZero();
  }

  @Test
  void anyNumberButZeroIsTrue() {
    assertThat(Tensor.of(0f, -0f, 0.1f, Float.NaN, -2f).to(DType.BOOL))
        .hasToString("tensor([False, False,  True,  True,  True])");
    Tensor odd = Tensor.wrap(new byte[] {0, 1, 2, -1}, DType.BOOL, Shape.of(4));
    assertThat(odd.toIntArray()).containsExactly(0, 1, 1, 1);
    assertThat(odd.equal(Tensor.of(false, true, true, true))).isTrue();
    assertThat(Tensor.of(0.5).getBoolean(0)).isTrue();
  }
}
