package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ElementsTest {
  @ParameterizedTest
  @EnumSource
  void whatIsSetIsGotInEveryDtype(DType dtype) {
    Tensor t = Tensor.zeros(dtype, Shape.of(2, 3));
    t.set(1, 0, 1).setFloat(1, 0, 2).setLong(1, 1, 0).setInt(1, 1, 1).setBoolean(true, 1, 2);
    assertThat(t.toIntArray()).containsExactly(0, 1, 1, 1, 1, 1);
    assertThat(t.getFloat(0, 1)).isEqualTo(1f);
    assertThat(t.getDouble(0, 2)).isEqualTo(1.0);
    assertThat(t.getLong(1, 0)).isEqualTo(1L);
    assertThat(t.getInt(1, 1)).isEqualTo(1);
    assertThat(t.getBoolean(1, 2)).isTrue();
    assertThat(t.getBoolean(0, 0)).isFalse();
    Tensor row = t.select(0, 1);
    row.set(0, 0).setFloat(0, 1).setDouble(0, 2);
    assertThat(t.toIntArray()).containsExactly(0, 1, 1, 0, 0, 0);
    row.setLong(1, 0).setInt(1, 1).setBoolean(true, 2);
    assertThat(row.getFloat(0) + row.getDouble(1) + row.getLong(2)).isEqualTo(3);
    assertThat(row.getInt(0)).isEqualTo(1);
    assertThat(row.getBoolean(1)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void neighboursAreLeftAlone(DType dtype) {
    Tensor t = Tensor.ones(dtype, Shape.of(5));
    t.set(0, 2);
    assertThat(t.toIntArray()).containsExactly(1, 1, 0, 1, 1);
  }

  @Test
  void negativeIndexesCountFromTheEnd() {
    Tensor t = Tensor.arange(6).view(2, 3);
    assertThat(t.getLong(-1, -3)).isEqualTo(3);
    assertThat(Tensor.of(1f, 2f).getFloat(-1)).isEqualTo(2f);
  }

  @Test
  void aScalarIsReadWithoutIndex() {
    Tensor scalar = Tensor.scalar(DType.I16, 7);
    assertThat(scalar.getLong()).isEqualTo(7);
    assertThat(scalar.setLong(8).getInt()).isEqualTo(8);
  }

  @Test
  void largeIntegersAreExact() {
    long big = (1L << 53) + 1;
    Tensor t = Tensor.full(DType.I64, Shape.of(2), big);
    assertThat(t.getLong(0)).isEqualTo(big);
    assertThat(t.setLong(Long.MIN_VALUE, 1).toLongArray()).containsExactly(big, Long.MIN_VALUE);
    assertThat(t.fill(big).toLongArray()).containsExactly(big, big);
  }

  @Test
  void wrongIndexesAreRefusedWithTheShape() {
    Tensor t = Tensor.zeros(Shape.of(2, 3));
    assertThatThrownBy(() -> t.getFloat(0))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("index=[0] has 1 indexes; shape=[2, 3] has dims=2");
    assertThatThrownBy(() -> t.getFloat(0, 0, 0))
        .hasMessage("index=[0, 0, 0] has 3 indexes; shape=[2, 3] has dims=2");
    assertThatThrownBy(() -> t.set(1, 0, 3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("index=3 is out of range of dim=1 of size=3");
    assertThatThrownBy(() -> t.getFloat(-3, 0))
        .hasMessage("index=-3 is out of range of dim=0 of size=2");
    assertThatThrownBy(() -> t.select(0, 0).getFloat(3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void opaqueMemoryHasAHeaderAndNoElements() {
    Storage storage =
        Storage.opaque(MemorySegment.ofArray(new float[6]), Device.of("cuda:0"), "owner");
    Tensor t = Tensor.over(storage, DType.F32, Shape.of(2, 3));
    assertThat(t.device()).isEqualTo(Device.of("cuda:0"));
    assertThat(t.segment().byteSize()).isEqualTo(24);
    assertThat(t.select(0, 1).segment().byteSize()).isEqualTo(12);
    assertThat(storage.owner()).isEqualTo("owner");
    assertThatThrownBy(() -> t.getFloat(0, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "get: Java cannot access the memory of f32 shape=[2, 3] strides=[3, 1] offset=0 on cuda:0,"
                + " which has no provider; give one to Devices.register");
    assertThatThrownBy(() -> t.fill(1)).hasMessageStartingWith("fill: Java cannot access");
    assertThatThrownBy(t::copy).hasMessageStartingWith("no provider for device cuda:0");
    assertThatThrownBy(() -> t.equal(t)).hasMessageStartingWith("compare: Java cannot access");
  }
}
