package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CopiesTest {
  @ParameterizedTest
  @EnumSource
  void copiesKeepEveryBit(DType dtype) {
    byte[] bytes = new byte[dtype.bytes() * 256];
    new Random(1).nextBytes(bytes);
    Tensor t = Tensor.wrap(java.lang.foreign.MemorySegment.ofArray(bytes), dtype, Shape.of(16, 16));
    assertThat(t.copy().segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);
    Tensor turned = Tensor.empty(dtype, Shape.of(16, 16));
    turned.t().copyFrom(t); // strided target
    assertThat(turned.t().contiguous().segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 511, 512, 513, 1000, 65537})
  void everyLengthIsFilledAndConvertedToTheEnd(long n) {
    Tensor x = Tensor.full(DType.I32, Shape.of(n), 3);
    assertThat(Arrays.stream(x.toLongArray()).filter(v -> v == 3).count()).isEqualTo(n);
    assertThat(x.fill(-2.9).to(DType.F64).equal(Tensor.full(DType.F64, Shape.of(n), -2))).isTrue();
    assertThat(x.zero().equal(Tensor.zeros(DType.I32, Shape.of(n)))).isTrue();
    Tensor range = Tensor.arange(n);
    assertThat(range.to(DType.F32).to(DType.I64).equal(range)).isTrue();
  }

  @Test
  void fillStopsAtTheEdgesOfAView() {
    Tensor base = Tensor.zeros(DType.I64, Shape.of(4, 4));
    base.narrow(0, 1, 2).narrow(1, 1, 2).fill(5);
    assertThat(base.toLongArray()).containsExactly(0, 0, 0, 0, 0, 5, 5, 0, 0, 5, 5, 0, 0, 0, 0, 0);
    base.select(0, 3).fill(1.5);
    assertThat(base.select(0, 3).toLongArray()).containsExactly(1, 1, 1, 1);
    assertThat(base.select(0, 2).toLongArray()).containsExactly(0, 5, 5, 0);
  }

  @Test
  void fillingAnExpandedViewFillsItsElement() {
    Tensor one = Tensor.zeros(Shape.of(1));
    one.expand(4).fill(2);
    assertThat(one.getFloat(0)).isEqualTo(2f);
  }

  @Test
  void aSourceIsBroadcastAndConverted() {
    Tensor out = Tensor.zeros(DType.F16, Shape.of(2, 3));
    out.copyFrom(Tensor.of(1L, 2, 3));
    assertThat(out.toFloatArray()).containsExactly(1, 2, 3, 1, 2, 3);
    out.copyFrom(Tensor.of(7, 8).view(2, 1));
    assertThat(out.toFloatArray()).containsExactly(7, 7, 7, 8, 8, 8);
    out.copyFrom(Tensor.scalar(0.5));
    assertThat(out.toFloatArray()).containsExactly(.5f, .5f, .5f, .5f, .5f, .5f);
    assertThatThrownBy(() -> out.copyFrom(Tensor.of(1f, 2f)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expand: shape=[2] does not expand to [2, 3]");
    assertThatThrownBy(() -> Tensor.zeros(Shape.of(3)).copyFrom(out))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTargetWhoseElementsShareMemoryIsRefused() {
    Tensor one = Tensor.zeros(Shape.of(1));
    assertThatThrownBy(() -> one.expand(3).copyFrom(Tensor.of(1f, 2f, 3f)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "several elements of the target share memory: f32 shape=[3] strides=[0]");
    assertThat(one.getFloat(0)).isZero();
  }

  @Test
  void overlappingCopiesReadBeforeTheyWrite() {
    Tensor x = Tensor.arange(6);
    x.narrow(0, 1, 5).copyFrom(x.narrow(0, 0, 5));
    assertThat(x.toLongArray()).containsExactly(0, 0, 1, 2, 3, 4);
    Tensor y = Tensor.arange(6);
    y.narrow(0, 0, 5).copyFrom(y.narrow(0, 1, 5));
    assertThat(y.toLongArray()).containsExactly(1, 2, 3, 4, 5, 5);
    Tensor square = Tensor.arange(9).view(3, 3);
    square.copyFrom(square.t());
    assertThat(square.toLongArray()).containsExactly(0, 3, 6, 1, 4, 7, 2, 5, 8);
    Tensor z = Tensor.arange(8);
    z.slice(0, 1, 8, 2).copyFrom(z.narrow(0, 0, 4));
    assertThat(z.toLongArray()).containsExactly(0, 0, 2, 1, 4, 2, 6, 3);
    Tensor w = Tensor.arange(4);
    w.copyFrom(w.narrow(0, 3, 1)); // broadcast out of itself
    assertThat(w.toLongArray()).containsExactly(3, 3, 3, 3);
  }

  @Test
  void overlapIsSeenBetweenStoragesOverOneArrayToo() {
    short[] array = {1, 2, 3, 4, 5, 6};
    Tensor shorts = Tensor.wrap(array);
    Tensor same = Tensor.wrap(array);
    shorts.slice(0, 0, 6, 2).copyFrom(same.narrow(0, 0, 3));
    assertThat(array).containsExactly(1, 2, 2, 4, 3, 6);
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};
    Tensor narrow = Tensor.wrap(bytes);
    Tensor wide =
        Tensor.wrap(
            java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.nativeOrder()),
            DType.I16,
            Shape.of(4));
    wide.copyFrom(narrow.narrow(0, 0, 4)); // each write covers sources not read yet
    assertThat(wide.toIntArray()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void arraysComeOutInLogicalOrder() {
    Tensor t = Tensor.of(1.9, -2.9, 300, 4).view(2, 2).t();
    assertThat(t.toDoubleArray()).containsExactly(1.9, 300, -2.9, 4);
    assertThat(t.toFloatArray()).containsExactly(1.9f, 300f, -2.9f, 4f);
    assertThat(t.toLongArray()).containsExactly(1, 300, -2, 4);
    assertThat(t.toIntArray()).containsExactly(1, 300, -2, 4);
    assertThat(t.toByteArray()).containsExactly(1, 44, -2, 4);
    assertThat(Tensor.empty(Shape.of(2, 0)).toFloatArray()).isEmpty();
  }
}
