package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.ScalarRange;
import dev.jcomms.tensor.internal.Views;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.Pointwise;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Set;
import java.util.function.Supplier;

/** The CPU kernel that all pointwise operators share: shapes, dtypes, a place for the result. */
final class Elementwise {
  /** What is computed in, and what the result is. */
  enum Rule {
    /** The operands' common dtype, for both. */
    SAME,
    /** The same, but whole numbers are computed as f32. */
    FLOAT,
    /** The common dtype, with a boolean result. */
    TRUTH
  }

  private static final Set<String> NOT_OF_BOOLEANS =
      Set.of(
          "abs",
          "neg",
          "pow",
          "square",
          "cube",
          "floor",
          "ceil",
          "round",
          "trunc",
          "remainder",
          "fmod",
          "div_floor",
          "div_trunc",
          "relu",
          "clamp",
          "clamp_min",
          "clamp_max",
          "clamp_tensor",
          "threshold",
          "threshold_backward",
          "addcmul",
          "gcd",
          "lcm");
  private static final Set<String> OF_EIGHTHS = Set.of("abs", "mul", "eq", "ne", "isnan", "where");

  private Elementwise() {}

  /** A kernel {@code (Tensor self, Tensor out)}. */
  static Supplier<MethodHandle> unary(Rule rule, Function f) {
    return () -> bind(find("unary", 1), rule, f);
  }

  /** A kernel {@code (Tensor self, Tensor other, Tensor out)}. */
  static Supplier<MethodHandle> binary(Rule rule, Function f) {
    return () -> bind(find("binary", 2), rule, f);
  }

  private static MethodHandle bind(MethodHandle run, Rule rule, Function f) {
    return Origins.note(MethodHandles.insertArguments(run, 0, rule, f), run);
  }

  /** Functions that change no dtype do not convert to that of {@code out} either. */
  private static Tensor unary(Rule rule, Function f, Tensor self, Tensor out) {
    if (rule == Rule.SAME) {
      Forms.requireSame(f.name(), self.dtype(), out);
    }
    return run(f, rule, Scalar.ZERO, Scalar.ZERO, out, self);
  }

  private static Tensor binary(Rule rule, Function f, Tensor self, Tensor other, Tensor out) {
    return run(f, rule, Scalar.ZERO, Scalar.ZERO, out, self, other);
  }

  /**
   * @param out where the result goes; null for a new tensor
   */
  static Tensor run(Function f, Rule rule, Scalar p, Scalar q, Tensor out, Tensor... in) {
    DType common = in.length == 1 ? in[0].dtype() : Promotion.of(in);
    return run(f, common, rule, p, q, out, in);
  }

  /** With the common dtype decided. */
  static Tensor run(
      Function f, DType common, Rule rule, Scalar p, Scalar q, Tensor out, Tensor... in) {
    DType compute = rule == Rule.FLOAT ? Promotion.toFloat(common) : common;
    requireSupport(f, compute);
    DType result = rule == Rule.TRUTH ? DType.BOOL : compute;
    Shape shape = broadcast(f.name(), in);
    if (out != null) {
      Forms.requireCast(f.name(), result, out.dtype());
      Forms.resize(f.name(), out, shape);
    }
    boolean rounds = out != null && out.dtype() != result && rule != Rule.TRUTH;
    Tensor to = out == null || rounds ? Pointwise.output(result, shape, in) : out;
    Pointwise.run(f, compute, inside(f.name(), p, compute), inside(f.name(), q, compute), to, in);
    return rounds ? out.copyFrom(to) : to;
  }

  /** A parameter as the dtype holds it, where it does: 255 for -1 beside u8. */
  private static Scalar inside(String op, Scalar p, DType compute) {
    if (p == Scalar.ZERO || compute == DType.F64 || compute == DType.BOOL) {
      return p;
    }
    ScalarRange.require(op, compute.isFloating() ? DType.F32 : compute, p);
    return compute.isFloating() || compute == DType.I64
        ? p
        : Scalar.of(compute == DType.U8 ? p.toLong() & 0xff : p.toLong());
  }

  static void requireSupport(Function f, DType compute) {
    boolean refused =
        switch (compute) {
          case BOOL -> !f.supports(compute) || NOT_OF_BOOLEANS.contains(f.name());
          case F8E4M3, F8E5M2 -> !OF_EIGHTHS.contains(f.name());
          default -> !f.supports(compute);
        };
    if (refused) {
      throw new IllegalArgumentException("\"" + f.name() + "\" is not implemented for " + compute);
    }
  }

  /** The shape that all operands broadcast to. */
  static Shape broadcast(String what, Tensor... in) {
    Shape shape = in[0].shape();
    for (int k = 1; k < in.length; k++) {
      shape = Views.broadcast(what, shape, in[k].shape());
    }
    return shape;
  }

  private static MethodHandle find(String name, int operands) {
    MethodType type = MethodType.methodType(Tensor.class, Rule.class, Function.class, Tensor.class);
    for (int k = 0; k < operands; k++) {
      type = type.appendParameterTypes(Tensor.class);
    }
    try {
      return MethodHandles.lookup().findStatic(Elementwise.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
