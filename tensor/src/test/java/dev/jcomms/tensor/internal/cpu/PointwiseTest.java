package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every layout of every dtype gives what reckoning with single elements gives. */
class PointwiseTest {
  private static void add(Tensor out, Tensor a, Tensor b) {
    Pointwise.run(ArithmeticFunctions.ADD, out.dtype(), Scalar.of(2), Scalar.ZERO, out, a, b);
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U8"})
  void twoOperandsOfEveryLayout(DType dtype) {
    Random random = new Random(3);
    for (long[] sizes : Layouts.SHAPES) {
      for (Tensor a : Layouts.of(dtype, sizes, random)) {
        for (Tensor b : Layouts.of(dtype, sizes, random)) {
          for (Tensor out : Layouts.of(dtype, sizes, random)) {
            if (isExpanded(out)) {
              continue;
            }
            add(out, a, b);
            check(dtype, a, b, out);
          }
        }
      }
    }
  }

  private static boolean isExpanded(Tensor t) {
    for (int d = 0; d < t.shape().dims(); d++) {
      if (t.strides()[d] == 0 && t.shape().size(d) > 1) {
        return true;
      }
    }
    return false;
  }

  private static void check(DType dtype, Tensor a, Tensor b, Tensor out) {
    double tolerance =
        switch (dtype) {
          case F16 -> 1e-2;
          case BF16 -> 8e-2;
          case F32 -> 2e-6;
          default -> 1e-12;
        };
    for (long i = 0; i < out.elements(); i++) {
      double expected = Layouts.at(a, out.shape(), i) + 2 * Layouts.at(b, out.shape(), i);
      if (dtype.isInteger()) {
        expected = Tensor.scalar(dtype, (long) expected).getDouble();
      }
      assertThat(Layouts.at(out, out.shape(), i)).isCloseTo(expected, within(tolerance));
    }
  }

  @Test
  void operandsBroadcast() {
    Random random = new Random(5);
    for (long[] sizes : Layouts.SHAPES) {
      if (sizes.length < 2) {
        continue;
      }
      long[] row = {sizes[sizes.length - 1]};
      long[] column = sizes.clone();
      column[sizes.length - 1] = 1;
      Tensor a = Layouts.values(DType.F64, row, random);
      Tensor b = Layouts.values(DType.F64, column, random);
      Tensor out = Tensor.empty(DType.F64, Shape.of(sizes));
      add(out, a, b);
      check(DType.F64, a, b, out);
      Tensor one = Tensor.scalar(DType.F64, 3.5);
      add(out, one, b);
      check(DType.F64, one, b, out);
    }
  }

  @Test
  void dtypesMixAndResultsConvert() {
    Tensor a = Tensor.wrap(new int[] {1, 2, 300}, Shape.of(3));
    Tensor b = Tensor.wrap(new double[] {0.25, 0.5, 0.75}, Shape.of(3));
    Tensor out = Tensor.empty(DType.F16, Shape.of(3));
    Pointwise.run(ArithmeticFunctions.MUL, DType.F32, out, a, b);
    assertThat(out.toDoubleArray()).containsExactly(0.25, 1, 225);
    Tensor truth = Tensor.empty(DType.BOOL, Shape.of(3));
    Pointwise.run(LogicFunctions.GT, DType.F64, truth, a, b);
    assertThat(truth.toIntArray()).containsExactly(1, 1, 1);
  }

  @Test
  void aSingleElementIsRoundedToTheDtypeOfTheArithmetic() {
    Tensor bytes = Tensor.empty(DType.U8, Shape.of(2)).set(1, 0).set(255, 1);
    Tensor out = Tensor.empty(DType.BOOL, Shape.of(2));
    Pointwise.run(LogicFunctions.EQ, DType.U8, out, bytes, Tensor.scalar(-1L));
    assertThat(out.toIntArray()).containsExactly(0, 1);
  }

  @Test
  void anOperandMayBeTheResult() {
    Tensor x = Tensor.arange(5).to(DType.F32);
    add(x, x, x);
    assertThat(x.toFloatArray()).containsExactly(0, 3, 6, 9, 12);
    Tensor t = Tensor.arange(6).to(DType.F32).view(2, 3).t();
    add(t, t, t);
    assertThat(t.contiguous().toFloatArray()).containsExactly(0, 9, 3, 12, 6, 15);
  }

  @Test
  void anOperandThatSharesInPartIsRefused() {
    Tensor x = Tensor.arange(5).to(DType.F32);
    assertThatThrownBy(() -> add(x.narrow(0, 1, 4), x.narrow(0, 0, 4), x.narrow(0, 1, 4)))
        .hasMessageContaining("single memory location");
    Tensor square = Tensor.arange(4).to(DType.F32).view(2, 2);
    assertThatThrownBy(() -> add(square.t(), square, square))
        .hasMessageContaining("single memory location");
    assertThatThrownBy(() -> add(x, x.select(0, 1), x)).hasMessageContaining("single memory");
  }

  @Test
  void anOperandThatSharesInPartWithGapsIsReadAsItWas() {
    Tensor x = Tensor.arange(9).to(DType.F64);
    Tensor even = x.slice(0, 0, 8, 2);
    Tensor later = x.slice(0, 2, 9, 2).narrow(0, 0, 4);
    add(even, later, Tensor.zeros(DType.F64, Shape.of(4)));
    assertThat(even.contiguous().toDoubleArray()).containsExactly(2, 4, 6, 8);
  }

  @Test
  void aResultThatSharesItsOwnElementsIsRefused() {
    Tensor out = Tensor.zeros(Shape.of(1)).expand(3);
    assertThatThrownBy(() -> add(out, Tensor.ones(Shape.of(3)), Tensor.ones(Shape.of(3))))
        .hasMessageContaining("more than one element");
  }

  @Test
  void memoryThatIsGoneIsRefused() {
    Arena arena = Arena.ofConfined();
    Tensor gone = Tensor.over(Storage.of(arena.allocate(400)), DType.F32, Shape.of(100));
    arena.close();
    Tensor out = Tensor.zeros(Shape.of(100));
    assertThatThrownBy(() -> add(out, gone, out)).hasMessageContaining("freed");
  }

  @Test
  void readOnlyMemoryIsNotWritten() {
    Tensor x =
        Tensor.over(Storage.of(Arena.ofAuto().allocate(16).asReadOnly()), DType.F32, Shape.of(4));
    assertThatThrownBy(() -> add(x, x, x)).hasMessageContaining("read-only");
  }

  @Test
  void whatIsNotDefinedIsRefused() {
    Tensor x = Tensor.zeros(DType.I64, Shape.of(2));
    assertThatThrownBy(() -> Pointwise.run(TranscendentalFunctions.EXP, DType.I64, x, x))
        .hasMessage("\"exp\" is not implemented for i64");
    assertThatThrownBy(() -> Pointwise.run(ArithmeticFunctions.MUL, DType.I64, x, x))
        .hasMessageContaining("takes 2 operands");
  }

  @Test
  void threadsGiveTheSameAsOne() {
    Random random = new Random(9);
    Tensor a = Layouts.values(DType.F32, new long[] {300, 1001}, random);
    Tensor b = Layouts.values(DType.F32, new long[] {1001, 300}, random).t();
    int before = Parallel.threads();
    try {
      Parallel.threads(1);
      Tensor one = Tensor.empty(DType.F32, a.shape());
      add(one, a, b);
      Parallel.threads(4);
      Tensor four = Tensor.empty(DType.F32, a.shape());
      add(four, a, b);
      assertThat(four.equal(one)).isTrue();
    } finally {
      Parallel.threads(before);
    }
  }

  @Test
  void aDivisionByZeroInAnotherThreadIsThrownHere() {
    Tensor a = Tensor.ones(DType.I64, Shape.of(200_000));
    Tensor b = Tensor.ones(DType.I64, Shape.of(200_000)).setLong(0, 199_999);
    Tensor out = Tensor.empty(DType.I64, a.shape());
    assertThatThrownBy(() -> Pointwise.run(ArithmeticFunctions.DIV_FLOOR, DType.I64, out, a, b))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("ZeroDivisionError");
  }

  @Test
  void copiesConvertBetweenAllDtypes() {
    double[] values = {0, 1, 2, 100};
    for (DType from : DType.values()) {
      Tensor source = Tensor.empty(from, Shape.of(4)).copyFrom(Tensor.wrap(values, Shape.of(4)));
      for (DType to : DType.values()) {
        Tensor plain = Tensor.empty(to, Shape.of(4)).copyFrom(source);
        Tensor ours = Tensor.empty(to, Shape.of(4));
        Pointwise.copy(ours, source);
        assertThat(ours.toDoubleArray()).as("%s to %s", from, to).isEqualTo(plain.toDoubleArray());
        Tensor gaps = Tensor.empty(to, Shape.of(8)).slice(0, 0, 8, 2);
        Pointwise.copy(gaps, source);
        assertThat(gaps.toDoubleArray()).isEqualTo(plain.toDoubleArray());
      }
    }
  }

  @Test
  void aResultHasItsOperandsOrder() {
    Tensor t = Tensor.zeros(Shape.of(3, 5)).t();
    assertThat(Pointwise.output(DType.F32, t.shape(), t, t).strides()).containsExactly(1, 5);
    Tensor plain = Tensor.zeros(Shape.of(5, 3));
    assertThat(Pointwise.output(DType.F32, t.shape(), plain, t).strides()).containsExactly(3, 1);
  }
}
