package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.ALL;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.bool;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;
import java.util.function.BiConsumer;

/** Two and more tensors, element by element: broadcasting and type promotion. */
final class BinarySamples {
  private static final long[][][] SHAPES = {
    {{}, {}},
    {{}, {3}},
    {{2, 3}, {}},
    {{5}, {5}},
    {{33}, {33}},
    {{2, 3}, {3}},
    {{2, 1}, {1, 3}},
    {{4, 1, 3}, {2, 1}},
    {{0}, {0}},
    {{0}, {1}},
    {{2, 0, 3}, {3}},
    {{2, 3, 4}, {2, 3, 4}},
    {{1}, {2, 3, 4}},
    // refused
    {{2}, {3}},
    {{0}, {2}},
    {{2, 3}, {2}},
  };

  private static final DType[][] PAIRS = {
    {DType.F32, DType.I64},
    {DType.I64, DType.F32},
    {DType.F32, DType.F64},
    {DType.F16, DType.BF16},
    {DType.F16, DType.F32},
    {DType.BF16, DType.I32},
    {DType.I32, DType.I64},
    {DType.U8, DType.I8},
    {DType.U8, DType.I16},
    {DType.BOOL, DType.F32},
    {DType.I64, DType.BOOL},
    {DType.BOOL, DType.U8},
  };

  private BinarySamples() {}

  static void add(Samples s) {
    for (String op :
        List.of(
            "add.Tensor",
            "sub.Tensor",
            "rsub.Tensor",
            "mul.Tensor",
            "subtract.Tensor",
            "multiply.Tensor",
            "maximum",
            "minimum",
            "max.other",
            "min.other",
            "fmax",
            "fmin",
            "atan2",
            "arctan2",
            "hypot",
            "eq.Tensor",
            "ne.Tensor",
            "lt.Tensor",
            "le.Tensor",
            "gt.Tensor",
            "ge.Tensor",
            "greater.Tensor",
            "greater_equal.Tensor",
            "less.Tensor",
            "less_equal.Tensor",
            "not_equal.Tensor",
            "logical_and",
            "logical_or",
            "logical_xor",
            "bitwise_and.Tensor",
            "bitwise_or.Tensor",
            "bitwise_xor.Tensor",
            "__and__.Tensor",
            "__or__.Tensor",
            "copysign.Tensor",
            "heaviside",
            "logaddexp",
            "logaddexp2",
            "squared_difference")) {
      binary(s, op, Content.ANY, Content.ANY);
    }
    for (String op :
        List.of(
            "div.Tensor",
            "true_divide.Tensor",
            "divide.Tensor",
            "floor_divide",
            "remainder.Tensor",
            "fmod.Tensor")) {
      binary(s, op, Content.ANY, Content.NONZERO);
      s.add(op, t(DType.I64, 4), t(DType.I64, 4).with(Content.index(0, 1)));
      s.add(op, f32(12).with(Content.SPECIAL), f32(12).with(Content.SPECIAL).salted(3));
    }
    pairs(Content.ANY, Content.NONZERO, (a, b) -> modes(s, a, b));
    binary(s, "pow.Tensor_Tensor", Content.POSITIVE, Content.index(0, 4));
    binary(s, "pow.Tensor_Tensor", Content.ANY, Content.index(-3, 4));
    for (String op : List.of("bitwise_left_shift.Tensor", "bitwise_right_shift.Tensor")) {
      binary(s, op, Content.ANY, Content.index(0, 7));
    }
    numbers(s);
    three(s);
    comparisons(s);
  }

  private static void modes(Samples s, TensorSpec a, TensorSpec b) {
    s.add("div.Tensor_mode", a, b, "floor");
    s.add("div.Tensor_mode", a, b, "trunc");
    if (a.sizes().length == 2) {
      s.add("div.Tensor_mode", a, b, null);
      s.add("div.Tensor_mode", a, b, "up");
    }
  }

  private static void binary(Samples s, String op, Content first, Content second) {
    pairs(first, second, (a, b) -> s.add(op, a, b));
    s.add(op, f32(13).with(Content.SPECIAL), f32(13).with(Content.SPECIAL).salted(9));
    if (List.of("add.Tensor", "sub.Tensor", "rsub.Tensor").contains(op)) {
      for (Object alpha : new Object[] {2, -1, 0, 0.5, true}) {
        for (DType dtype : ALL) {
          s.add(op, t(dtype, 2, 3), t(dtype, 3).salted(1), alpha);
        }
      }
    }
  }

  private static void pairs(
      Content first, Content second, BiConsumer<TensorSpec, TensorSpec> each) {
    for (DType dtype : ALL) {
      for (long[][] shapes : SHAPES) {
        if (dtype == DType.F32 || dtype == DType.I64 || shapes[0].length == 2) {
          each.accept(t(dtype, shapes[0]).with(first), t(dtype, shapes[1]).with(second).salted(1));
        }
      }
      for (TensorSpec a : arranged(t(dtype, 3, 4).with(first))) {
        for (TensorSpec b : arranged(t(dtype, 3, 4).with(second).salted(2))) {
          each.accept(a, b);
        }
      }
    }
    for (DType[] pair : PAIRS) {
      for (int i : new int[] {0, 1, 2, 3, 5, 7}) {
        each.accept(
            t(pair[0], SHAPES[i][0]).with(first), t(pair[1], SHAPES[i][1]).with(second).salted(1));
      }
    }
  }

  /** A tensor and a number. */
  private static void numbers(Samples s) {
    List<String> plain =
        List.of(
            "mul.Scalar",
            "div.Scalar",
            "remainder.Scalar",
            "fmod.Scalar",
            "floor_divide.Scalar",
            "eq.Scalar",
            "ne.Scalar",
            "lt.Scalar",
            "le.Scalar",
            "gt.Scalar",
            "ge.Scalar",
            "greater.Scalar",
            "greater_equal.Scalar",
            "less.Scalar",
            "less_equal.Scalar",
            "not_equal.Scalar",
            "bitwise_and.Scalar",
            "bitwise_or.Scalar",
            "bitwise_xor.Scalar",
            "bitwise_left_shift.Tensor_Scalar",
            "bitwise_right_shift.Tensor_Scalar",
            "multiply.Scalar",
            "true_divide.Scalar",
            "divide.Scalar",
            "copysign.Scalar");
    for (DType dtype : ALL) {
      for (Object number : new Object[] {2, -3, 2.5, true, 1}) {
        for (long[] shape : List.of(new long[] {}, new long[] {5}, new long[] {0, 2})) {
          TensorSpec x = t(dtype, shape);
          for (String op : plain) {
            boolean shift = op.contains("shift");
            s.add(op, x, shift && number.equals(-3) ? 3 : number);
          }
          for (String op : List.of("add.Scalar", "sub.Scalar", "rsub.Scalar", "subtract.Scalar")) {
            s.add(op, x, number);
            s.add(op, x, number, 2);
          }
          s.add("div.Scalar_mode", x, number, "floor");
          s.add("div.Scalar_mode", x, number, "trunc");
          s.add("remainder.Scalar_Tensor", number, x.with(Content.NONZERO));
        }
      }
    }
  }

  /** Three tensors. */
  private static void three(Samples s) {
    for (DType dtype : ALL) {
      for (long[] shape : Samples.SHAPES) {
        for (TensorSpec a : arranged(t(dtype, shape))) {
          TensorSpec b = t(dtype, shape).salted(1);
          s.add("where.self", bool(shape).salted(4), a, b);
          if (a.arrangement() != Arrangement.EXPANDED) {
            s.add("lerp.Scalar", a, b, 0.3);
            s.add("lerp.Tensor", a, b, b.with(Content.PROBABILITY));
            s.add("addcmul", a, b, t(dtype, shape).salted(2));
            s.add("addcmul", a, b, t(dtype, shape).salted(2), 2);
            s.add("addcdiv", a, b, t(dtype, shape).with(Content.NONZERO).salted(2), 0.5);
          }
        }
      }
    }
    s.add("where.self", bool(3, 1), f32(4), t(DType.I64, 1));
    s.add("where.self", bool(), f32(4), f64());
    s.add("where.self", bool(2), f32(3), f32(3));
    s.add("where.self", t(DType.I64, 3), f32(3), f32(3));
    s.add("where.ScalarSelf", bool(3), 2, f32(3));
    s.add("where.ScalarOther", bool(3), f32(3), 2.5);
    s.add("where.Scalar", bool(3), 1, 0);
    s.add("where.Scalar", bool(2, 3), 1.5, 0);
    s.add("addcmul", f32(2, 3), f32(3), f32(2, 1), 3);
    s.add("addcmul", f32(2), f32(3), f32(2), 3);
    s.add("addcdiv", f32(2, 3), f32(3), f32(2, 1).with(Content.NONZERO), -1);
    s.add("lerp.Scalar", f32(2, 3), f32(3), 0.75);
    s.add("lerp.Scalar", f32(2), f64(2), 0.75);
  }

  private static void comparisons(Samples s) {
    for (DType dtype : ALL) {
      TensorSpec x = t(dtype, 2, 3);
      s.add("equal", x, x);
      s.add("equal", x, x.salted(1));
      s.add("equal", x, t(dtype, 3, 2));
      s.add("isclose", x, x.salted(1), 0.5, 1.0);
      s.add("isclose", x, x);
      s.add("allclose", x, x);
      s.add("allclose", x, x.salted(1));
    }
    s.add(
        "isclose", f32(13).with(Content.SPECIAL), f32(13).with(Content.SPECIAL), 1e-5, 1e-8, true);
    s.add("isclose", f32(13).with(Content.SPECIAL), f32(13).with(Content.SPECIAL));
    s.add("isclose", f32(3), f64(3));
    s.add("equal", f32(0), f32(0));
  }
}
