package dev.jcomms.tensor.autograd;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One call of an operator whose gradient is checked: by every f64 tensor among its arguments that
 * is not {@link Fixed}.
 *
 * @param second whether the gradient's gradient is checked too
 */
record Sample(String operator, Object[] arguments, boolean second) {
  /** A tensor that no gradient is checked for. */
  record Fixed(Tensor tensor) {}

  private static long seed = 1;

  static Sample of(String operator, Object... arguments) {
    return new Sample(operator, arguments, true);
  }

  Sample firstOnly() {
    return new Sample(operator, arguments, false);
  }

  // ---- arguments

  /** Normal numbers. */
  static Tensor any(long... sizes) {
    return Tensor.randn(DType.F64, Shape.of(sizes), seed++);
  }

  /** Between 0.5 and 1.5. */
  static Tensor positive(long... sizes) {
    return uniform(0.5, 1, sizes);
  }

  /** Between -0.9 and 0.9. */
  static Tensor small(long... sizes) {
    return uniform(-0.9, 1.8, sizes);
  }

  static Tensor uniform(double from, double width, long... sizes) {
    Tensor t = Tensor.random(DType.F64, Shape.of(sizes), seed++);
    double[] values = t.toDoubleArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = from + width * values[i];
    }
    return Tensor.of(values).view(sizes);
  }

  /** As {@link #any}, the last two dimensions swapped in memory. */
  static Tensor strided(long... sizes) {
    long[] swapped = sizes.clone();
    int n = sizes.length;
    swapped[n - 1] = sizes[n - 2];
    swapped[n - 2] = sizes[n - 1];
    return any(swapped).transpose(n - 1, n - 2);
  }

  static Tensor whole(long... values) {
    return Tensor.of(values);
  }

  static Fixed fixed(Tensor tensor) {
    return new Fixed(tensor);
  }

  static Fixed mask(boolean... values) {
    return new Fixed(Tensor.of(values));
  }

  // ---- running it

  boolean isInPlace() {
    String name = operator.contains(".") ? operator.substring(0, operator.indexOf('.')) : operator;
    return name.endsWith("_");
  }

  /** The same call of the in-place form. */
  Sample inPlace() {
    int dot = operator.indexOf('.');
    String name =
        dot < 0 ? operator + "_" : operator.substring(0, dot) + "_" + operator.substring(dot);
    return new Sample(rename(name), arguments, second);
  }

  private static String rename(String name) {
    return switch (name) {
      case "pow_.Tensor_Scalar" -> "pow_.Scalar";
      case "pow_.Tensor_Tensor" -> "pow_.Tensor";
      default -> name;
    };
  }

  /** The tensors that gradients are checked for, in order. */
  List<Tensor> inputs() {
    List<Tensor> inputs = new ArrayList<>();
    for (Object argument : arguments) {
      if (isInput(argument)) {
        inputs.add((Tensor) argument);
      } else if (argument instanceof List<?> list) {
        list.stream().filter(Sample::isInput).forEach(t -> inputs.add((Tensor) t));
      }
    }
    return inputs;
  }

  /** Calls the operator with others in place of {@link #inputs}. */
  List<Tensor> run(List<Tensor> inputs) {
    Object[] args = new Object[arguments.length];
    int next = 0;
    for (int i = 0; i < args.length; i++) {
      if (isInput(arguments[i])) {
        Tensor given = inputs.get(next++);
        args[i] = i == 0 && isInPlace() ? given.copy() : given;
      } else if (arguments[i] instanceof List<?> list) {
        List<Object> all = new ArrayList<>();
        for (Object o : list) {
          all.add(isInput(o) ? inputs.get(next++) : plain(o));
        }
        args[i] = all;
      } else {
        args[i] = plain(arguments[i]);
      }
    }
    Object result = Dispatcher.call("aten::" + operator, args);
    List<?> all =
        switch (result) {
          case List<?> list -> list;
          case Object[] several -> Arrays.asList(several);
          default -> List.of(result);
        };
    return all.stream()
        .filter(o -> o instanceof Tensor t && t.dtype().isFloating())
        .map(Tensor.class::cast)
        .toList();
  }

  private static boolean isInput(Object o) {
    return o instanceof Tensor t && t.dtype() == DType.F64;
  }

  private static Object plain(Object o) {
    return o instanceof Fixed fixed ? fixed.tensor : o;
  }

  /** The operator and the shapes, for messages. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(operator);
    for (Object argument : arguments) {
      text.append(' ')
          .append(
              switch (argument) {
                case Tensor t -> t.shape();
                case Fixed f -> f.tensor.shape();
                case long[] a -> Arrays.toString(a);
                case null, default -> argument;
              });
    }
    return text.length() > 160 ? text.substring(0, 160) : text.toString();
  }
}
