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

/** Results, dtypes and refusals of reductions, as PyTorch 2.13 has them. */
class ReductionOperatorsTest {
  private static final Tensor GRID =
      Tensor.wrap(new float[] {1, 5, 2, 4, 3, 6}, Shape.of(2, 3)).copy();

  private static Object call(String op, Object... args) {
    return Dispatcher.operator("aten::" + op).call(args);
  }

  @Test
  void sumsOverSomeOrAllDimensions() {
    assertThat(Ops.sum(GRID).getFloat()).isEqualTo(21);
    assertThat(Ops.sum(GRID, 0).toFloatArray()).containsExactly(5, 8, 8);
    assertThat(Ops.sum(GRID, -1).toFloatArray()).containsExactly(8, 13);
    assertThat(Ops.sum(GRID, new long[] {0, 1}, true, null).shape()).isEqualTo(Shape.of(1, 1));
    assertThat(Ops.sum(GRID, new long[0], false, null).shape()).isEqualTo(Shape.scalar());
    assertThat(Ops.sum(Tensor.scalar(3.0), 0).getFloat()).isEqualTo(3);
    assertThatThrownBy(() -> Ops.sum(GRID, 0, 0)).hasMessageContaining("multiple times");
    assertThatThrownBy(() -> Ops.sum(GRID, 2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void integersSumInI64() {
    Tensor x = Tensor.full(DType.I8, Shape.of(10), 100L);
    assertThat(Ops.sum(x).dtype()).isEqualTo(DType.I64);
    assertThat(Ops.sum(x).getLong()).isEqualTo(1000);
    assertThat(Ops.sum(Tensor.ones(DType.BOOL, Shape.of(3))).getLong()).isEqualTo(3);
    assertThat(Ops.sum(x, null, false, DType.I8).getLong()).isEqualTo(-24);
    assertThat(Ops.sum(Tensor.full(Shape.of(2), 1.5), null, false, DType.I64).getLong())
        .isEqualTo(2);
    assertThat(Ops.cumsum(x, 0).getLong(9)).isEqualTo(1000);
  }

  @Test
  void meansAreOfFloats() {
    assertThat(Ops.mean(GRID).getFloat()).isEqualTo(3.5f);
    assertThat(Ops.mean(Tensor.zeros(Shape.of(0))).getFloat()).isNaN();
    Tensor whole = Tensor.arange(3);
    assertThat(Ops.mean(whole, null, false, DType.F32).getFloat()).isEqualTo(1);
    assertThatThrownBy(() -> Ops.mean(whole)).hasMessageContaining("could not infer");
    assertThatThrownBy(() -> Ops.mean(GRID, null, false, DType.I64)).hasMessageContaining("i64");
  }

  @Test
  void extremesNeedElements() {
    Tensor none = Tensor.zeros(Shape.of(0, 3));
    assertThat(Ops.amax(none, new long[] {1}, false).shape()).isEqualTo(Shape.of(0));
    assertThatThrownBy(() -> Ops.amax(none, new long[] {0}, false))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("dim=0");
    assertThatThrownBy(() -> Ops.max(none)).hasMessageContaining("dim to be specified");
    assertThatThrownBy(() -> Ops.argmax(none, null, false)).hasMessageContaining("argmax");
    assertThatThrownBy(() -> Ops.argmax(Tensor.ones(DType.BOOL, Shape.of(2)), null, false))
        .hasMessageContaining("boolean");
  }

  @Test
  void extremesWithIndexes() {
    Tensor[] most = Ops.max(GRID, 1, false);
    assertThat(most[0].toFloatArray()).containsExactly(5, 6);
    assertThat(most[1].toLongArray()).containsExactly(1, 2);
    assertThat(Ops.argmin(GRID, null, false).getLong()).isEqualTo(0);
    assertThat(Ops.argmax(GRID.t(), null, false).getLong()).isEqualTo(5);
    assertThat(Ops.argmax(GRID, 0L, true).shape()).isEqualTo(Shape.of(1, 3));
    Tensor[] range = (Tensor[]) call("aminmax", GRID, null, false);
    assertThat(range[0].getFloat()).isEqualTo(1);
    assertThat(range[1].getFloat()).isEqualTo(6);
  }

  @Test
  void truths() {
    assertThat(Ops.any(Tensor.zeros(Shape.of(3))).getBoolean()).isFalse();
    assertThat(Ops.all(GRID).getBoolean()).isTrue();
    assertThat(Ops.all(Tensor.zeros(Shape.of(0))).getBoolean()).isTrue();
    assertThat(Ops.any(Tensor.zeros(Shape.of(0))).getBoolean()).isFalse();
    assertThat(Ops.all(Tensor.full(Shape.of(1), Double.NaN)).getBoolean()).isTrue();
    assertThat(Ops.any(Tensor.ones(DType.U8, Shape.of(2))).dtype()).isEqualTo(DType.U8);
    assertThat(((Tensor) call("any.dims", GRID, new long[0], false)).shape())
        .isEqualTo(Shape.of(2, 3));
  }

  @Test
  void spreads() {
    assertThat(Ops.var(GRID, null, null, false).getFloat()).isEqualTo(3.5f);
    assertThat(Ops.std(GRID, new long[] {1}, Scalar.ZERO, true).shape()).isEqualTo(Shape.of(2, 1));
    assertThat(Ops.var(Tensor.ones(Shape.of(1)), null, null, false).getFloat()).isNaN();
    assertThat(Ops.varMean(GRID, null, null, false)[1].getFloat()).isEqualTo(3.5f);
    assertThatThrownBy(() -> Ops.var(Tensor.arange(3), null, null, false))
        .hasMessageContaining("floating point");
  }

  @Test
  void norms() {
    Tensor x = Tensor.wrap(new float[] {3, -4}, Shape.of(2));
    assertThat(Ops.norm(x, null, new long[] {0}, false).getFloat()).isEqualTo(5);
    assertThat(Ops.vectorNorm(x, Scalar.of(1), null, false, DType.F64).getDouble()).isEqualTo(7);
    assertThatThrownBy(
            () ->
                Ops.vectorNorm(
                    Tensor.zeros(Shape.of(0)),
                    Scalar.of(Double.POSITIVE_INFINITY),
                    null,
                    false,
                    null))
        .hasMessageContaining("none of nothing");
    assertThatThrownBy(() -> Ops.vectorNorm(Tensor.arange(2), Scalar.of(2), null, false, null))
        .hasMessageContaining("i64");
  }

  @Test
  void logarithmsOfSumsDoNotOverflow() {
    Tensor large = Tensor.full(Shape.of(2), 1000);
    assertThat(Ops.logsumexp(large, new long[] {0}, false).getFloat())
        .isCloseTo(1000.6931f, within(1e-3f));
    Tensor none = Tensor.full(Shape.of(2), Double.NEGATIVE_INFINITY);
    assertThat(Ops.logsumexp(none, new long[] {0}, false).getFloat())
        .isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(Ops.logsumexp(Tensor.zeros(Shape.of(0, 2)), new long[] {0}, false).toFloatArray())
        .containsExactly(Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY);
  }

  @Test
  void runningSumsAndWhatWasBroadcast() {
    assertThat(Ops.cumsum(GRID, 0).toFloatArray()).containsExactly(1, 5, 2, 5, 8, 8);
    assertThat(Ops.cumprod(GRID, 1).toFloatArray()).containsExactly(1, 5, 10, 4, 12, 72);
    assertThat(Ops.sumToSize(GRID, 3).toFloatArray()).containsExactly(5, 8, 8);
    assertThat(Ops.sumToSize(GRID, 2, 1).toFloatArray()).containsExactly(8, 13);
    assertThatThrownBy(() -> Ops.sumToSize(GRID, 2)).hasMessageContaining("[2]");
  }

  @Test
  void resultsOfAReductionGoWhereTheyFit() {
    Tensor out = Tensor.empty(DType.F64, Shape.of(3));
    assertThat(call("sum.IntList_out", GRID, new long[] {0}, false, null, out)).isSameAs(out);
    assertThat(out.toDoubleArray()).containsExactly(5, 8, 8);
    assertThatThrownBy(() -> call("amax.out", GRID, new long[] {0}, false, out))
        .hasMessage("amax: out must be f32 as the result is, but is f64");
    assertThatThrownBy(() -> call("sum.out", GRID, null, Tensor.empty(DType.F64, Shape.scalar())))
        .hasMessageContaining("out must be f32");
    assertThatThrownBy(() -> call("mean.out", GRID, new long[] {0}, false, null, out.to(DType.I32)))
        .hasMessageContaining("can't be cast");
    assertThatThrownBy(() -> call("sum.IntList_out", GRID, new long[] {1}, false, null, out))
        .hasMessageContaining("shape");
  }
}
