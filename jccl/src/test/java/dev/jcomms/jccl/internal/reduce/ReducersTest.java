package dev.jcomms.jccl.internal.reduce;

import static dev.jcomms.jccl.internal.reduce.Cases.assertBytes;
import static dev.jcomms.jccl.internal.reduce.Cases.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReducersTest {
  /** Small integers and powers of two, so that no rounding depends on the order. */
  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.reduce.Cases#reductions")
  void stagesGiveWhatOnePassGives(DType dtype, ReduceOp op) {
    int length = 1003;
    double[] factors = {0.5, 1, 2};
    byte[][] inputs = Cases.inputs(dtype, 3, length);
    for (byte[] input : inputs) {
      smallIntegers(dtype, input);
    }
    byte[] expected = Oracle.reduce(dtype, op, inputs, factors);
    Reducer reducer = Reducers.of(dtype, op);
    long bytes = (long) length * dtype.bytes();
    try (Arena arena = Arena.ofConfined()) {
      Terms terms = terms(arena, inputs, factors, bytes, 0);
      MemorySegment whole = arena.allocate(bytes, 8);
      reducer.reduce(whole, 0, terms, length, 3);
      assertBytes(whole, expected, bytes, "one pass");

      long wideBytes = (long) length * reducer.wideType().bytes();
      MemorySegment left = arena.allocate(wideBytes, 8);
      MemorySegment right = arena.allocate(wideBytes, 8);
      reducer.fold(left, 0, pick(terms, 0, 2), length);
      reducer.fold(right, 0, pick(terms, 2, 3), length);
      reducer.wide().fold(left, 0, new Terms().add(left, 0).add(right, 0), length);
      MemorySegment out = dtype == reducer.wideType() ? left : arena.allocate(bytes, 8);
      reducer.finish(out, 0, new Terms().add(left, 0), length, 3);
      assertBytes(out, expected, bytes, "stages");
    }
  }

  @Test
  void averagesOfNarrowIntegersDoNotOverflow() {
    Tensor a =
        Tensor.wrap(MemorySegment.ofArray(new byte[] {100, -100, -1, -3}), DType.I8, Shape.of(4));
    Tensor out = Tensor.empty(DType.I8, Shape.of(4));
    Terms terms = new Terms();
    for (int k = 0; k < 2; k++) {
      terms.add(a.storage().segment(), 0);
    }
    terms.add(MemorySegment.ofArray(new byte[] {100, -100, 0, 2}), 0);
    Reducers.of(DType.I8, ReduceOp.AVG).reduce(out.storage().segment(), 0, terms, 4, 3);
    assertThat(out.toLongArray()).containsExactly(100, -100, 0, -1);
  }

  @Test
  void partialResultsAreWiderWhereElementsAreNarrow() {
    assertThat(Reducers.of(DType.BF16, ReduceOp.SUM).wideType()).isEqualTo(DType.F32);
    assertThat(Reducers.of(DType.U8, ReduceOp.AVG).wideType()).isEqualTo(DType.I64);
    assertThat(Reducers.of(DType.U8, ReduceOp.SUM).wideType()).isEqualTo(DType.U8);
    Reducer premul = Reducers.of(DType.F32, ReduceOp.premulSum(3));
    assertThat(premul.wide()).isSameAs(Reducers.of(DType.F32, ReduceOp.SUM));
  }

  @Test
  void refusesWhatItCannotDo() {
    MemorySegment segment = Arena.ofAuto().allocate(64);
    Reducer sum = Reducers.of(DType.F32, ReduceOp.SUM);
    assertThatThrownBy(() -> Reducers.of(DType.F8E4M3, ReduceOp.SUM))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no reduction sum of f8e4m3");
    assertThatThrownBy(() -> Reducers.of(DType.F32, ReduceOp.BAND))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> sum.reduce(segment, 0, new Terms(), 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("reduce: no terms");
    assertThatThrownBy(() -> sum.reduce(segment, 4, new Terms().add(segment, 0), 16, 1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("reduce: 16 x f32 at byte 4 do not fit the output's 64 bytes");
    assertThatThrownBy(() -> sum.reduce(segment, 0, new Terms().add(segment, -1), 1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> sum.fold(segment.asReadOnly(), 0, new Terms().add(segment, 0), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void smallIntegers(DType dtype, byte[] bytes) {
    Shape shape = Shape.of(bytes.length / dtype.bytes());
    Tensor tensor = Tensor.wrap(MemorySegment.ofArray(bytes), dtype, shape);
    for (int i = 0; i < tensor.elements(); i++) {
      tensor.setLong(bytes[i * dtype.bytes()] & 3, i);
    }
  }

  private static Terms pick(Terms terms, int from, int to) {
    Terms picked = new Terms();
    for (int k = from; k < to; k++) {
      picked.add(terms.segment(k), terms.at(k), terms.factor(k));
    }
    return picked;
  }
}
