package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.OperatorTolerance;
import java.util.List;
import java.util.Optional;

/** Holds what came of a case against what should have. */
final class Comparison {
  private static final int SHOWN = 8;

  private final Case about;
  private final OperatorTolerance tolerance;

  Comparison(Case about, OperatorTolerance tolerance) {
    this.about = about;
    this.tolerance = tolerance;
  }

  /** What is wrong, if anything. */
  Optional<String> difference(Execution.Outcome expected, Execution.Outcome actual) {
    if (expected instanceof Execution.Crash(Throwable cause)) {
      return Optional.of("the cpu breaks: " + cause);
    }
    if (actual instanceof Execution.Crash(Throwable cause)) {
      return Optional.of("breaks: " + cause);
    }
    return switch (expected) {
      case Execution.Values right ->
          switch (actual) {
            case Execution.Values values -> values(right, values);
            case Execution.Refusal(String message) ->
                Optional.of("refuses (" + message + "); should give " + show(right.results()));
            case Execution.Crash _ -> throw new AssertionError();
          };
      case Execution.Refusal(String message) ->
          actual instanceof Execution.Values values
              ? Optional.of("gives " + show(values.results()) + "; should refuse (" + message + ")")
              : Optional.empty();
      case Execution.Crash _ -> throw new AssertionError();
    };
  }

  /** Whether every result is where it should be. */
  static Optional<String> misplaced(Execution.Outcome actual, Device device) {
    if (actual instanceof Execution.Values values) {
      for (Device where : values.devices()) {
        if (!where.equals(device)) {
          return Optional.of("gives a tensor on " + where + "; should be on " + device);
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> values(Execution.Values expected, Execution.Values actual) {
    if (expected.results().size() != actual.results().size()) {
      return Optional.of(
          "gives " + actual.results().size() + " results, not " + expected.results().size());
    }
    for (int i = 0; i < expected.results().size(); i++) {
      Optional<String> wrong = one(expected.results().get(i), actual.results().get(i));
      if (wrong.isPresent()) {
        return Optional.of(
            (expected.results().size() > 1 ? "result " + i + " " : "") + wrong.get());
      }
    }
    for (int i = 0; i < expected.written().size(); i++) {
      Optional<String> wrong = tensors(expected.written().get(i), actual.written().get(i));
      if (wrong.isPresent()) {
        return Optional.of("written argument " + i + " " + wrong.get());
      }
    }
    return Optional.empty();
  }

  private Optional<String> one(Object expected, Object actual) {
    if (expected instanceof Tensor e && actual instanceof Tensor a) {
      return tensors(e, a);
    }
    boolean same =
        expected == null || actual == null
            ? expected == actual
            : number(expected) != null && number(actual) != null
                ? close(number(expected), number(actual), DType.F32)
                : expected.equals(actual);
    return same ? Optional.empty() : Optional.of("is " + actual + "; should be " + expected);
  }

  private static Double number(Object value) {
    return switch (value) {
      case Scalar s -> s.toDouble();
      case Boolean b -> b ? 1.0 : 0.0;
      case Number n -> n.doubleValue();
      default -> null;
    };
  }

  private Optional<String> tensors(Tensor expected, Tensor actual) {
    if (expected.dtype() != actual.dtype() || !expected.shape().equals(actual.shape())) {
      return Optional.of("is " + facts(actual) + "; should be " + facts(expected));
    }
    if (about.form() == Case.Form.HEADERS) {
      return Optional.empty();
    }
    long at =
        expected.dtype().isFloating() ? farDouble(expected, actual) : farLong(expected, actual);
    return at < 0
        ? Optional.empty()
        : Optional.of(
            "is " + facts(actual) + "; should be " + facts(expected) + "; they differ at " + at);
  }

  private long farDouble(Tensor expected, Tensor actual) {
    double[] right = expected.toDoubleArray();
    double[] given = actual.toDoubleArray();
    for (int i = 0; i < right.length; i++) {
      if (!close(right[i], given[i], expected.dtype())) {
        return i;
      }
    }
    return -1;
  }

  private static long farLong(Tensor expected, Tensor actual) {
    return java.util.Arrays.mismatch(expected.toLongArray(), actual.toLongArray());
  }

  private boolean close(double expected, double actual, DType dtype) {
    DType computed = computed(dtype);
    return expected == actual
        || expected != expected && actual != actual
        || Double.isFinite(expected)
            && Math.abs(expected - actual)
                <= tolerance.absolute(computed) + tolerance.relative(computed) * Math.abs(expected);
  }

  /** In what a result of that dtype was computed: an {@code out} may be wider than its inputs. */
  private DType computed(DType dtype) {
    if (!about.operator().schema().isMutable() && about.form() != Case.Form.GRADIENTS) {
      return dtype;
    }
    DType coarsest = dtype;
    for (Object argument : about.arguments()) {
      if (argument instanceof TensorSpec t) {
        DType taken = t.isFloating() ? t.dtype() : DType.F32; // whole numbers are computed as f32
        if (tolerance.relative(taken) > tolerance.relative(coarsest)) {
          coarsest = taken;
        }
      }
    }
    return coarsest;
  }

  private static String show(List<Object> results) {
    return results.stream()
        .map(r -> r instanceof Tensor t ? facts(t) : String.valueOf(r))
        .toList()
        .toString();
  }

  /** {@code f32[2,3] (1.0, 2.0, …)}. */
  static String facts(Tensor t) {
    StringBuilder text = new StringBuilder(t.dtype() + t.shape().toString() + " (");
    double[] numbers = t.toDoubleArray();
    for (int i = 0; i < Math.min(SHOWN, numbers.length); i++) {
      text.append(i == 0 ? "" : ", ");
      text.append(t.dtype().isFloating() ? (Object) numbers[i] : (Object) (long) numbers[i]);
    }
    return text.append(numbers.length > SHOWN ? ", …)" : ")").toString();
  }
}
