package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Argument;
import dev.jcomms.tensor.dispatch.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One call to be tried: an operator and its arguments as data.
 *
 * @param operator what is called
 * @param arguments as {@code Operator.call} takes them, with a {@link TensorSpec} for each tensor
 *     and {@link #HERE} for the device under test
 * @param form how it is called and what is looked at
 */
record Case(Operator operator, List<Object> arguments, Form form) {
  /** In place of a device: the one under test. */
  static final Object HERE =
      new Object() {
        @Override
        public String toString() {
          return "here";
        }
      };

  /** What is looked at. */
  enum Form {
    /** The results, and the arguments that are written. */
    VALUES,
    /** Of the results dtype and shape only: their elements are random, or undefined. */
    HEADERS,
    /** The gradients of the arguments. */
    GRADIENTS
  }

  /** The arguments as tensors on a device, new ones at every call. */
  Object[] on(Device device) {
    return arguments.stream().map(a -> on(device, a)).toArray();
  }

  private static Object on(Device device, Object argument) {
    if (argument == HERE) {
      return device;
    }
    return switch (argument) {
      case TensorSpec t -> t.on(device);
      case List<?> list -> {
        List<Object> made = new ArrayList<>();
        list.forEach(a -> made.add(on(device, a)));
        yield made;
      }
      case long[] array -> array.clone();
      case null, default -> argument;
    };
  }

  /** The tensors among made arguments that the operator writes. */
  List<Tensor> written(Object[] made) {
    List<Tensor> written = new ArrayList<>();
    List<Argument> wanted = operator.schema().arguments();
    for (int i = 0; i < made.length; i++) {
      if (wanted.get(i).isWritten()) {
        if (made[i] instanceof Tensor t) {
          written.add(t);
        } else if (made[i] instanceof List<?> list) {
          list.forEach(t -> written.add((Tensor) t));
        }
      }
    }
    return written;
  }

  /** {@code add.Tensor(f32[2,3] turned, f32[3], 2)}. */
  String name() {
    String all = arguments.stream().map(Case::text).collect(Collectors.joining(", "));
    return shortName() + "(" + all + ")" + (form == Form.GRADIENTS ? " gradients" : "");
  }

  String shortName() {
    String name = operator.name();
    return name.startsWith("aten::") ? name.substring("aten::".length()) : name;
  }

  private static String text(Object argument) {
    return switch (argument) {
      case long[] array -> Arrays.toString(array);
      case double[] array -> Arrays.toString(array);
      case boolean[] array -> Arrays.toString(array);
      case null, default -> String.valueOf(argument);
    };
  }
}
