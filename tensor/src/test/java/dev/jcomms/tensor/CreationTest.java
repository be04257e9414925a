package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CreationTest {
  @ParameterizedTest
  @EnumSource
  void zerosOnesAndFullsAreThatInEveryDtype(DType dtype) {
    Shape shape = Shape.of(3, 5);
    assertThat(Tensor.zeros(dtype, shape).toDoubleArray()).containsOnly(0.0).hasSize(15);
    assertThat(Tensor.ones(dtype, shape).toDoubleArray()).containsOnly(1.0).hasSize(15);
    assertThat(Tensor.full(dtype, shape, 1.0).equal(Tensor.ones(dtype, shape))).isTrue();
    Tensor t = Tensor.empty(dtype, shape);
    assertThat(t.dtype()).isSameAs(dtype);
    assertThat(t.shape()).isEqualTo(shape);
    assertThat(t.bytes()).isEqualTo(15L * dtype.bytes());
    assertThat(t.device()).isSameAs(Device.CPU);
    assertThat(t.isContiguous()).isTrue();
  }

  @Test
  void withoutADtypeItIsF32() {
    for (Tensor t :
        new Tensor[] {
          Tensor.zeros(Shape.of(2)),
          Tensor.ones(Shape.of(2)),
          Tensor.empty(Shape.of(2)),
          Tensor.full(Shape.of(2), 3)
        }) {
      assertThat(t.dtype()).isSameAs(DType.F32);
    }
    assertThat(Tensor.full(Shape.of(2), 0.1).toFloatArray()).containsExactly(0.1f, 0.1f);
  }

  @Test
  void newMemoryIsNativeAndAligned() {
    for (long n : new long[] {1, 3, 1000}) {
      Tensor t = Tensor.empty(DType.U8, Shape.of(n));
      assertThat(t.segment().isNative()).isTrue();
      assertThat(t.segment().address() % Storage.ALIGNMENT).isZero();
    }
    assertThat(Tensor.empty(Shape.of(0)).segment().byteSize()).isZero();
  }

  @Test
  void theJavaTypeOfValuesDecidesTheDtype() {
    assertThat(Tensor.of(1f).dtype()).isSameAs(DType.F32);
    assertThat(Tensor.of(1.0).dtype()).isSameAs(DType.F64);
    assertThat(Tensor.of(1L).dtype()).isSameAs(DType.I64);
    assertThat(Tensor.of(1).dtype()).isSameAs(DType.I32);
    assertThat(Tensor.of((byte) -1).dtype()).isSameAs(DType.I8);
    assertThat(Tensor.of(true, false).toIntArray()).containsExactly(1, 0);
    float[] values = {1, 2};
    Tensor t = Tensor.of(values);
    values[0] = 9;
    assertThat(t.toFloatArray()).containsExactly(1, 2);
  }

  @Test
  void scalarsHaveNoDimension() {
    assertThat(Tensor.scalar(0.5).shape().dims()).isZero();
    assertThat(Tensor.scalar(0.5)).hasToString("tensor(0.5000)");
    assertThat(Tensor.scalar(3)).hasToString("tensor(3)");
    assertThat(Tensor.scalar(DType.BF16, 3.0)).hasToString("tensor(3., dtype=torch.bfloat16)");
    assertThat(Tensor.scalar(DType.I64, Long.MAX_VALUE).getLong()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void rangesStopBeforeTheirEnd() {
    assertThat(Tensor.arange(4).toLongArray()).containsExactly(0, 1, 2, 3);
    assertThat(Tensor.arange(2, 5).toLongArray()).containsExactly(2, 3, 4);
    assertThat(Tensor.arange(0, 10, 3).toLongArray()).containsExactly(0, 3, 6, 9);
    assertThat(Tensor.arange(5, 0, -2).toLongArray()).containsExactly(5, 3, 1);
    assertThat(Tensor.arange(3, 3).elements()).isZero();
    assertThat(Tensor.arange(0.0, 1.0, 0.25).toFloatArray()).containsExactly(0, .25f, .5f, .75f);
    assertThat(Tensor.arange(2.5).toFloatArray()).containsExactly(0, 1, 2);
    assertThat(Tensor.arange(1.0, 2.5).dtype()).isSameAs(DType.F32);
    assertThat(Tensor.arange(DType.F16, 0, 3, 1))
        .hasToString("tensor([0., 1., 2.], dtype=torch.float16)");
    assertThat(Tensor.arange(DType.F64, 1, 0, -0.5).toDoubleArray()).containsExactly(1, .5);
    assertThat(Tensor.arange(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE).toLongArray())
        .containsExactly(Long.MIN_VALUE, -1, Long.MAX_VALUE - 1);
    assertThat(Tensor.arange(1000).toLongArray())
        .isEqualTo(java.util.stream.LongStream.range(0, 1000).toArray());
  }

  @Test
  void aStepThatDoesNotLeadToTheEndIsRefused() {
    assertThatThrownBy(() -> Tensor.arange(5, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("arange: step=1 does not lead from start=5 to end=0");
    assertThatThrownBy(() -> Tensor.arange(0, 5, 0))
        .hasMessageStartingWith("arange: step=0 does not");
    assertThatThrownBy(() -> Tensor.arange(0.0, Double.NaN, 1.0)).hasMessageContaining("end=NaN");
    assertThatThrownBy(() -> Tensor.arange(Double.POSITIVE_INFINITY))
        .hasMessageContaining("end=Infinity");
  }

  @ParameterizedTest
  @EnumSource
  void randomsStayInRangeAndRepeatWithTheirSeed(DType dtype) {
    Tensor t = Tensor.random(dtype, Shape.of(4000), 42);
    double[] values = t.toDoubleArray();
    double low = Arrays.stream(values).min().orElseThrow();
    double high = Arrays.stream(values).max().orElseThrow();
    if (dtype.isFloating()) {
      assertThat(low).isBetween(0.0, 0.01);
      assertThat(high).isBetween(0.87, Math.nextDown(1.0));
      assertThat(Arrays.stream(values).average().orElseThrow()).isBetween(0.4, 0.52);
    } else {
      boolean signed = dtype.isInteger() && dtype != DType.U8;
      assertThat(low).isEqualTo(signed ? -8 : 0);
      assertThat(high).isEqualTo(dtype == DType.BOOL ? 1 : signed ? 7 : 15);
    }
    assertThat(t.equal(Tensor.random(dtype, Shape.of(4000), 42))).isTrue();
    assertThat(t.equal(Tensor.random(dtype, Shape.of(4000), 43))).isFalse();
    assertThat(t.narrow(0, 0, 100).equal(Tensor.random(dtype, Shape.of(100), 42))).isTrue();
  }

  /** SplitMix64's published outputs for seed 0: their top bits must be ours on every machine. */
  @Test
  void theRandomNumbersAreSplitMix64s() {
    long[] outputs = {
      0xe220a8397b1dcdafL, 0x6e789e6aa1b965f4L, 0x06c45d188009454fL, 0xf88bb8a8724c81ecL
    };
    for (int i = 0; i < outputs.length; i++) {
      assertThat(Tensor.random(DType.F64, Shape.of(4), 0).getDouble(i))
          .isEqualTo((outputs[i] >>> 11) * 0x1p-53);
      assertThat(Tensor.random(DType.I32, Shape.of(4), 0).getInt(i))
          .isEqualTo((int) (outputs[i] >>> 60) - 8);
    }
  }

  @Test
  void normalsHaveMeanZeroAndVarianceOne() {
    double[] values = Tensor.randn(DType.F64, Shape.of(50_000), 1).toDoubleArray();
    double mean = Arrays.stream(values).average().orElseThrow();
    double variance = Arrays.stream(values).map(v -> v * v).average().orElseThrow() - mean * mean;
    double within = Arrays.stream(values).filter(v -> Math.abs(v) < 1).count() / 50_000.0;
    assertThat(mean).isBetween(-0.02, 0.02);
    assertThat(variance).isBetween(0.97, 1.03);
    assertThat(within).isBetween(0.67, 0.70);
    assertThatThrownBy(() -> Tensor.randn(DType.I32, Shape.of(1), 1))
        .hasMessage("randn needs a floating dtype; asked for i32");
  }
}
