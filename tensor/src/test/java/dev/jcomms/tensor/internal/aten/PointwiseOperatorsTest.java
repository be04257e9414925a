package dev.jcomms.tensor.internal.aten;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import org.junit.jupiter.api.Test;

/** Results, dtypes and refusals of pointwise operators, as PyTorch 2.13 has them. */
class PointwiseOperatorsTest {
  private static Tensor floats(float... values) {
    return Tensor.wrap(values, Shape.of(values.length));
  }

  private static Tensor longs(long... values) {
    return Tensor.wrap(values, Shape.of(values.length));
  }

  private static Tensor bools(int... values) {
    return Tensor.wrap(values, Shape.of(values.length)).to(DType.BOOL);
  }

  private static Object call(String op, Object... args) {
    return Dispatcher.operator("aten::" + op).call(args);
  }

  @Test
  void sumsHaveAnAlpha() {
    assertThat(Ops.add(longs(1, 2), longs(10, 20), Scalar.of(3)).toLongArray())
        .containsExactly(31, 62);
    assertThat(Ops.sub(floats(1), floats(2)).toFloatArray()).containsExactly(-1);
    assertThat(((Tensor) call("rsub.Scalar", longs(1), Scalar.of(5), Scalar.of(2))).toLongArray())
        .containsExactly(3);
    assertThatThrownBy(() -> Ops.add(longs(1), longs(1), Scalar.of(1.5)))
        .hasMessageContaining("alpha=1.5");
    assertThatThrownBy(() -> Ops.add(longs(1), longs(1), Scalar.of(true)))
        .hasMessageContaining("boolean alpha");
  }

  @Test
  void booleansAddAndMultiplyButDoNotSubtract() {
    assertThat(Ops.add(bools(1, 0), bools(1, 0)).dtype()).isEqualTo(DType.BOOL);
    assertThat(Ops.mul(bools(1), Scalar.of(2)).toLongArray()).containsExactly(2);
    assertThat(Ops.bitwiseNot(bools(1, 0)).toIntArray()).containsExactly(0, 1);
    for (Runnable refused :
        new Runnable[] {
          () -> Ops.sub(bools(1), bools(1)),
          () -> Ops.sub(longs(1), Scalar.of(true)),
          () -> Ops.neg(bools(1)),
          () -> Ops.abs(bools(1)),
          () -> Ops.floor(bools(1)),
          () -> Ops.relu(bools(1)),
          () -> Ops.pow(bools(1), bools(1)),
          () -> Ops.remainder(bools(1), bools(1))
        }) {
      assertThatThrownBy(refused::run).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void quotientsAreFractionsUnlessRounded() {
    assertThat(Ops.div(longs(7), longs(2)).toFloatArray()).containsExactly(3.5f);
    assertThat(Ops.div(longs(-7), longs(2), "floor").toLongArray()).containsExactly(-4);
    assertThat(Ops.div(longs(-7), longs(2), "trunc").toLongArray()).containsExactly(-3);
    assertThat(Ops.div(floats(-7), floats(2), "floor").toFloatArray()).containsExactly(-4);
    assertThat(Ops.floorDivide(longs(-7), Scalar.of(2)).toLongArray()).containsExactly(-4);
    assertThat(Ops.div(floats(1), floats(0), "floor").getFloat(0))
        .isEqualTo(Float.POSITIVE_INFINITY);
    assertThatThrownBy(() -> Ops.div(longs(1), longs(1), "up")).hasMessageContaining("'up'");
    assertThatThrownBy(() -> Ops.floorDivide(longs(1), longs(0)))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void remaindersHaveTheSignOfOneSideOrTheOther() {
    assertThat(Ops.remainder(longs(-7, 7), longs(3, -3)).toLongArray()).containsExactly(2, -2);
    assertThat(Ops.fmod(longs(-7, 7), longs(3, -3)).toLongArray()).containsExactly(-1, 1);
    assertThat(Ops.remainder(floats(-7), floats(3)).toFloatArray()).containsExactly(2);
    assertThatThrownBy(() -> Ops.fmod(longs(1), longs(0))).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void powersOfIntegers() {
    assertThat(Ops.pow(longs(2, 1, -1, 0), longs(-1, -1, -3, -1)).toLongArray())
        .containsExactly(0, 1, -1, 0);
    assertThat(Ops.pow(longs(3), Scalar.of(4)).toLongArray()).containsExactly(81);
    assertThat(Ops.pow(longs(4), Scalar.of(0.5)).toFloatArray()).containsExactly(2);
    assertThat(Ops.pow(Scalar.of(2), longs(3)).toLongArray()).containsExactly(8);
    assertThatThrownBy(() -> Ops.pow(longs(2), Scalar.of(-1))).hasMessageContaining("negative");
  }

  @Test
  void shiftsBeyondTheBitsLeaveNothing() {
    assertThat(Ops.bitwiseLeftShift(longs(1, 1, -8), longs(64, -1, 1)).toLongArray())
        .containsExactly(0, 0, -16);
    assertThat(Ops.bitwiseRightShift(longs(-8, 8), longs(64, -1)).toLongArray())
        .containsExactly(-1, 0);
    assertThatThrownBy(() -> Ops.bitwiseAnd(floats(1), floats(1)))
        .hasMessage("\"bitwise_and\" is not implemented for f32");
  }

  @Test
  void integersBecomeFloatsWhereResultsAreFractions() {
    assertThat(Ops.exp(longs(0)).dtype()).isEqualTo(DType.F32);
    assertThat(Ops.sqrt(bools(1)).toFloatArray()).containsExactly(1);
    assertThat(Ops.floor(longs(3)).dtype()).isEqualTo(DType.I64);
    assertThatThrownBy(() -> Ops.frac(longs(1))).hasMessageContaining("not implemented for i64");
    assertThatThrownBy(() -> Ops.gelu(longs(1))).hasMessageContaining("not implemented for i64");
    assertThatThrownBy(() -> Ops.exp_(longs(1))).hasMessageContaining("can't be cast");
    assertThatThrownBy(() -> Ops.div_(longs(1), Scalar.of(2))).hasMessageContaining("can't be");
    assertThatThrownBy(() -> Ops.add_(longs(1), floats(1))).hasMessageContaining("can't be cast");
  }

  @Test
  void halvesComputeInFloatAndRoundOnce() {
    Tensor x = floats(1, 2, 3).to(DType.F16);
    assertThat(Ops.add(x, Scalar.of(0.1)).toFloatArray())
        .containsExactly(1.0996094f, 2.0996094f, 3.0996094f);
    assertThat(Ops.mul(x, floats(0.5f, 0.5f, 0.5f)).dtype()).isEqualTo(DType.F32);
    assertThat(Ops.mul(x, Scalar.of(0.5)).dtype()).isEqualTo(DType.F16);
  }

  @Test
  void eightBitFloatsDoNotCompute() {
    Tensor x = floats(1, 2).to(DType.F8E4M3);
    assertThatThrownBy(() -> Ops.add(x, x)).hasMessage("\"add\" is not implemented for f8e4m3");
    assertThat(Ops.eq(x, x).toIntArray()).containsExactly(1, 1);
    assertThatThrownBy(() -> Ops.mul(x, floats(1))).hasMessageContaining("Promotion for Float8");
  }

  @Test
  void resultsGoWhereTheyFit() {
    Tensor out = Tensor.empty(DType.F64, Shape.of(2));
    assertThat(call("add.out", floats(1, 2), floats(3, 4), Scalar.ONE, out)).isSameAs(out);
    assertThat(out.toDoubleArray()).containsExactly(4, 6);
    assertThatThrownBy(() -> call("exp.out", floats(1, 2), Tensor.empty(DType.I64, Shape.of(2))))
        .hasMessageContaining("can't be cast");
    assertThatThrownBy(() -> call("exp.out", floats(1, 2), Tensor.empty(Shape.of(3))))
        .hasMessageContaining("shape");
    assertThatThrownBy(() -> call("abs.out", floats(1, 2), out))
        .hasMessage("abs: out must be f32 as the result is, but is f64");
    assertThatThrownBy(() -> call("mul.Scalar_out", floats(1, 2), Scalar.of(3), out))
        .hasMessageContaining("out must be f32");
    Tensor any = Tensor.empty(DType.BOOL, Shape.of(2));
    assertThat(call("pow.Scalar_out", Scalar.ONE, floats(1, 2), any)).isSameAs(any);
    Tensor x = floats(1, 2);
    assertThat(Ops.mul_(x, Scalar.of(3))).isSameAs(x);
    assertThat(x.toFloatArray()).containsExactly(3, 6);
    assertThatThrownBy(() -> Ops.add_(x, Tensor.ones(Shape.of(3, 2))))
        .hasMessageContaining("[3, 2]");
    assertThatThrownBy(() -> Ops.add(floats(1, 2), floats(1, 2, 3)))
        .hasMessageContaining("do not broadcast");
  }

  @Test
  void limitsMayBeAnything() {
    assertThat(Ops.clamp(longs(1, 2), Scalar.of(0.5), Scalar.of(1.5)).toFloatArray())
        .containsExactly(1, 1.5f);
    assertThat(Ops.clamp(floats(5), Scalar.of(3), Scalar.of(1)).toFloatArray()).containsExactly(1);
    assertThat(Ops.clamp(floats(1), Scalar.of(Double.NaN), null).getFloat(0)).isNaN();
    assertThat(Ops.clamp(floats(1, Float.NaN), floats(2, 2), (Tensor) null).toFloatArray())
        .containsExactly(2, Float.NaN);
    assertThatThrownBy(() -> Ops.clamp(floats(1), (Scalar) null, null))
        .hasMessageContaining("at least one");
  }

  @Test
  void theGammaFunctionIsSteepBesideItsPoles() {
    Tensor x = Tensor.of(-1e-300, -1e-40, 1e-40, -1e-13, -1e-5, -1 - 1e-10, -5.000000001, -0.5);
    double[] known = {
      690.7755278982137, 92.10340371976183, 92.10340371976183, 29.93360620892265,
      11.512931237209125, 23.025850847157812, 15.93577400971788, 1.2655121234846454
    };
    assertThat(Ops.lgamma(x).toDoubleArray()).containsExactly(known, within(1e-12));
  }

  @Test
  void wholeExponentsDoNotWidenWhatTheyScale() {
    Tensor halves = floats(0x1p-10f, 1, 3).to(DType.F16);
    Tensor scaled = Ops.ldexp(halves, longs(20, 3, 20));
    assertThat(scaled.dtype()).isEqualTo(DType.F16);
    assertThat(scaled.toFloatArray()).containsExactly(1024, 8, Float.POSITIVE_INFINITY);
    assertThat(Ops.ldexp(halves, floats(1, 1, 1)).dtype()).isEqualTo(DType.F32);
    assertThat(Ops.ldexp(longs(3), longs(2)).toFloatArray()).containsExactly(12);
    assertThat(Ops.ldexp(Tensor.scalar(DType.F64, 0.1), longs(1)).getDouble(0)).isEqualTo(0.2);
  }

  @Test
  void nansSpreadThroughMaximumButNotThroughFmax() {
    Tensor nan = floats(Float.NaN, 1);
    assertThat(Ops.maximum(nan, floats(0, 0)).toFloatArray()).containsExactly(Float.NaN, 1);
    assertThat(Ops.fmax(nan, floats(0, 0)).toFloatArray()).containsExactly(0, 1);
    assertThat(Ops.sign(nan).toFloatArray()).containsExactly(0, 1);
    assertThat(Ops.relu(nan).getFloat(0)).isNaN();
    assertThat(Ops.nanToNum(nan, null, null, null).toFloatArray()).containsExactly(0, 1);
  }

  @Test
  void choicesTakeTheDtypeOfWhatIsChosen() {
    Tensor chosen = Ops.where(bools(1, 0), longs(1, 2), floats(5));
    assertThat(chosen.toFloatArray()).containsExactly(1, 5);
    assertThatThrownBy(() -> Ops.where(longs(1), longs(1), longs(2)))
        .hasMessageContaining("boolean");
    assertThatThrownBy(() -> Ops.lerp(floats(1), floats(2), longs(1)))
        .hasMessageContaining("expected dtype");
    assertThatThrownBy(() -> Ops.addcdiv(longs(1), longs(1), longs(1), Scalar.ONE))
        .hasMessageContaining("not divided");
  }

  @Test
  void aComparisonIsOfTheCommonDtype() {
    Tensor bytes = longs(1).to(DType.U8);
    assertThat(Ops.lt(bytes, Scalar.of(-1)).toIntArray()).containsExactly(1); // -1 is 255 there
    assertThat(Ops.lt(longs(1), Scalar.of(1.5)).toIntArray()).containsExactly(1);
    assertThat(((Tensor) call("lt_.Tensor", floats(1), floats(2))).toFloatArray())
        .containsExactly(1);
    assertThat(((Tensor) call("greater.Scalar", longs(3), Scalar.of(2))).toIntArray())
        .containsExactly(1);
  }

  @Test
  void closenessNeedsOneDtype() {
    assertThat(Ops.isclose(floats(1, 2), floats(1, 3), 1e-5, 1e-8, false).toIntArray())
        .containsExactly(1, 0);
    assertThat(Ops.allclose(floats(Float.NaN), floats(Float.NaN), 1e-5, 1e-8, true)).isTrue();
    assertThatThrownBy(() -> Ops.isclose(floats(1), longs(1), 1e-5, 1e-8, false))
        .hasMessageContaining("differ");
    assertThat(Ops.equal(longs(1), floats(1))).isTrue();
  }
}
