package dev.jcomms.tensor.internal.cpu.simd;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.Loop;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import jdk.incubator.vector.VectorShape;

/** The vector loop of each function that has one. */
public final class VectorLoops {
  static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private VectorLoops() {}

  /** Bits of a hardware vector. */
  public static int bits() {
    return VectorShape.preferredShape().vectorBitSize();
  }

  /**
   * @param carrier the dtype that is computed in
   * @param type {@code void (long out, long a, long b, long c, int n, long p, long q)}
   * @return null if there is none
   */
  public static MethodHandle loop(Function f, DType carrier, MethodType type) {
    return switch (carrier) {
      case F32 -> floats(f, type);
      case F64 -> {
        DoubleVectorFunction v = DoubleVectors.of(f.name());
        Object recipe = new DoubleVectorLoop.Recipe(f.arity(), f.doubles(), v);
        yield v == null ? null : Loop.copy(LOOKUP, DoubleVectorLoop.class, recipe, type);
      }
      case I32 -> {
        IntVectorFunction v = WholeVectors.ints(f.name());
        Object recipe = new IntVectorLoop.Recipe(f.arity(), f.ints(), v);
        yield v == null ? null : Loop.copy(LOOKUP, IntVectorLoop.class, recipe, type);
      }
      case I64 -> {
        LongVectorFunction v = WholeVectors.longs(f.name());
        Object recipe = new LongVectorLoop.Recipe(f.arity(), f.longs(), v);
        yield v == null ? null : Loop.copy(LOOKUP, LongVectorLoop.class, recipe, type);
      }
      default -> throw new IllegalArgumentException("no carrier of " + carrier);
    };
  }

  /**
   * The loop that folds by a function.
   *
   * @param type {@code double (long at, int n)}
   */
  public static MethodHandle fold(Function f, DType carrier, MethodType type) {
    if (carrier == DType.F32) {
      Object recipe = new FloatVectorFoldLoop.Recipe(f.floats(), combiner(f.name()));
      return Loop.copy(LOOKUP, FloatVectorFoldLoop.class, recipe, type);
    }
    Object recipe = new DoubleVectorFoldLoop.Recipe(f.doubles(), doubleCombiner(f.name()));
    return Loop.copy(LOOKUP, DoubleVectorFoldLoop.class, recipe, type);
  }

  /** Without the parameter that folds never use. */
  private static FloatVectorFunction combiner(String name) {
    return name.equals("add") ? (a, b, _, _, _) -> a.add(b) : FloatVectors.of(name);
  }

  private static DoubleVectorFunction doubleCombiner(String name) {
    return name.equals("add") ? (a, b, _, _, _) -> a.add(b) : DoubleVectors.of(name);
  }

  private static MethodHandle floats(Function f, MethodType type) {
    return switch (f.name()) {
      case "pow" -> Loop.copy(LOOKUP, FloatPowerLoop.class, f, type);
      case "sin" -> angles(f, 0, type);
      case "cos" -> angles(f, 1, type);
      default -> otherFloats(f, type);
    };
  }

  private static MethodHandle otherFloats(Function f, MethodType type) {
    FloatVectorFunction[] stages = FloatVectors.stages(f.name());
    if (stages != null) {
      return FloatStagedLoop.of(f, stages[0], stages[1], type);
    }
    FloatVectorFunction v = FloatVectors.of(f.name());
    Object recipe = new FloatVectorLoop.Recipe(f.arity(), f.floats(), v);
    return v == null ? null : Loop.copy(LOOKUP, FloatVectorLoop.class, recipe, type);
  }

  private static MethodHandle angles(Function f, int quarters, MethodType type) {
    Object recipe = new FloatAngleLoop.Recipe(f.floats(), quarters);
    return Loop.copy(LOOKUP, FloatAngleLoop.class, recipe, type);
  }
}
