package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Argument;
import dev.jcomms.tensor.dispatch.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Cases as {@code operators.py} reads them, and its answers as outcomes. */
final class TorchCases {
  private TorchCases() {}

  /** One case as a line of JSON. */
  static String line(Case c) {
    Schema schema = c.operator().schema();
    List<Argument> wanted = schema.arguments();
    List<String> written = new ArrayList<>();
    for (int i = 0; i < c.arguments().size(); i++) {
      if (wanted.get(i).isWritten()) {
        written.add(Integer.toString(i));
      }
    }
    return "{\"name\":%s,\"overload\":%s,\"form\":\"%s\",\"arguments\":[%s],\"written\":[%s]}"
        .formatted(
            text(schema.name()),
            text(schema.overload()),
            c.form(),
            c.arguments().stream().map(TorchCases::json).collect(Collectors.joining(",")),
            String.join(",", written));
  }

  private static String json(Object argument) {
    return switch (argument) {
      case null -> "null";
      case TensorSpec t -> tensor(t);
      case DType d -> "{\"dtype\":\"" + d + "\"}";
      case String s -> text(s);
      case long[] array -> Arrays.toString(array);
      case double[] array -> Arrays.toString(array);
      case boolean[] array -> Arrays.toString(array);
      case Scalar s -> s.toString();
      case List<?> list ->
          "{\"list\":["
              + list.stream().map(TorchCases::json).collect(Collectors.joining(","))
              + "]}";
      default -> argument == Case.HERE ? "null" : argument.toString();
    };
  }

  private static String tensor(TensorSpec t) {
    Tensor base = t.base();
    return "{\"tensor\":\"%s\",\"base\":%s,\"sizes\":%s,\"strides\":%s,\"offset\":%d}"
        .formatted(
            t.dtype(),
            Arrays.toString(base.toDoubleArray()),
            Arrays.toString(t.sizes()),
            Arrays.toString(t.arrangement().strides(t.sizes())),
            base.elements() == 0 ? 0 : t.arrangement().offset());
  }

  private static String text(String s) {
    return "\"" + s + "\"";
  }

  /** What PyTorch answered; the results and the written arguments in one list. */
  static Execution.Outcome outcome(String line) {
    String[] fields = line.split("\t", -1);
    if (!fields[0].equals("values")) {
      return new Execution.Refusal(line.replace('\t', ' '));
    }
    List<Object> values = new ArrayList<>();
    for (int i = 1; i < fields.length; i++) {
      if (!fields[i].isEmpty()) {
        values.add(value(fields[i]));
      }
    }
    return new Execution.Values(values, List.of(), List.of());
  }

  private static Object value(String field) {
    if (field.equals("none")) {
      return null;
    }
    String[] words = field.split(" ", -1);
    if (words[0].equals("number")) {
      return Scalar.of(Double.parseDouble(words[1]));
    }
    DType dtype = DType.parse(words[1]);
    String sizes = words[2].substring(1, words[2].length() - 1);
    Shape shape =
        sizes.isEmpty()
            ? Shape.scalar()
            : Shape.of(Arrays.stream(sizes.split(",")).mapToLong(Long::parseLong).toArray());
    String[] numbers = words[3].isEmpty() ? new String[0] : words[3].split(",");
    Tensor flat =
        dtype.isFloating()
            ? Tensor.of(Arrays.stream(numbers).mapToDouble(Double::parseDouble).toArray())
            : Tensor.of(Arrays.stream(numbers).mapToLong(Long::parseLong).toArray());
    return flat.to(dtype).view(shape);
  }

  /** Ours in the same form. */
  static Execution.Outcome ours(Case c) {
    Execution.Outcome outcome = Execution.run(c, Device.CPU);
    if (!(outcome instanceof Execution.Values values)) {
      return outcome;
    }
    List<Object> all = new ArrayList<>();
    boolean nothing = c.operator().schema().returns().isEmpty();
    if (!nothing) {
      all.addAll(values.results());
    } else {
      all.add(null);
    }
    all.addAll(values.written());
    return new Execution.Values(all, List.of(), values.devices());
  }
}
