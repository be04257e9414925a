package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects cases, family by family; operators that are not defined are left out. */
final class Samples {
  static final List<DType> FLOATS = List.of(DType.F32, DType.F64, DType.BF16, DType.F16);
  static final List<DType> WHOLES = List.of(DType.I64, DType.I32, DType.I16, DType.I8, DType.U8);
  static final List<DType> NUMBERS = join(FLOATS, WHOLES);
  static final List<DType> ALL = join(NUMBERS, List.of(DType.BOOL));

  /**
   * Nothing, a number, one element, odd and even lengths, nothing of something, more dimensions.
   */
  static final List<long[]> SHAPES =
      List.of(
          new long[] {},
          new long[] {0},
          new long[] {1},
          new long[] {5},
          new long[] {33},
          new long[] {2, 3},
          new long[] {3, 0, 2},
          new long[] {4, 1, 3},
          new long[] {2, 3, 4});

  private final Map<String, List<Case>> cases = new LinkedHashMap<>();

  /** A case of an {@code aten} operator, looked at for its values. */
  void add(String op, Object... arguments) {
    add(Case.Form.VALUES, op, arguments);
  }

  /** A case whose results are random or undefined. */
  void addHeader(String op, Object... arguments) {
    add(Case.Form.HEADERS, op, arguments);
  }

  private void add(Case.Form form, String op, Object... arguments) {
    find(op).ifPresent(operator -> put(new Case(operator, list(arguments), form)));
  }

  private void put(Case made) {
    cases.computeIfAbsent(made.operator().name(), _ -> new ArrayList<>()).add(made);
  }

  static boolean exists(String op) {
    return find(op).isPresent();
  }

  private static Optional<Operator> find(String op) {
    return Dispatcher.find(op.contains("::") ? op : "aten::" + op);
  }

  /** By operator, in the order of the families. */
  Map<String, List<Case>> cases() {
    return cases;
  }

  // ---- arguments

  static TensorSpec t(DType dtype, long... sizes) {
    return TensorSpec.of(dtype, sizes);
  }

  static TensorSpec f32(long... sizes) {
    return TensorSpec.of(DType.F32, sizes);
  }

  static TensorSpec f64(long... sizes) {
    return TensorSpec.of(DType.F64, sizes);
  }

  static TensorSpec i64(long... sizes) {
    return TensorSpec.of(DType.I64, sizes);
  }

  static TensorSpec bool(long... sizes) {
    return TensorSpec.of(DType.BOOL, sizes);
  }

  static TensorSpec index(long high, long... sizes) {
    return TensorSpec.of(DType.I64, sizes).with(Content.index(0, high));
  }

  static long[] longs(long... values) {
    return values;
  }

  /** The tensor in every arrangement that differs. */
  static List<TensorSpec> arranged(TensorSpec t) {
    List<TensorSpec> all = new ArrayList<>();
    for (Arrangement a : Arrangement.values()) {
      if (a.fits(t.sizes())) {
        all.add(t.with(a));
      }
    }
    return all;
  }

  /** A list that may hold null. */
  static List<Object> list(Object... values) {
    return Collections.unmodifiableList(new ArrayList<>(Arrays.asList(values)));
  }

  static List<DType> join(List<DType> some, List<DType> more) {
    List<DType> all = new ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }
}
