package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/** Boxed arguments as a schema wants them: defaults filled in, numbers and lists converted. */
final class Arguments {
  private Arguments() {}

  /** A new array of exactly the schema's arguments, each of its Java type or null. */
  static Object[] complete(Schema schema, Object[] given) {
    List<Argument> wanted = schema.arguments();
    if (given.length > wanted.size()) {
      throw new IllegalArgumentException(
          schema.qualifiedName()
              + ": "
              + given.length
              + " arguments given, at most "
              + wanted.size()
              + " taken; schema: "
              + schema);
    }
    Object[] out = new Object[wanted.size()];
    for (int i = 0; i < out.length; i++) {
      Argument argument = wanted.get(i);
      if (i < given.length) {
        out[i] = convert(schema, argument, given[i]);
      } else if (argument.hasDefault()) {
        out[i] = argument.defaultJava();
      } else {
        throw new IllegalArgumentException(
            schema.qualifiedName()
                + ": argument '"
                + argument.name()
                + "' is missing; schema: "
                + schema);
      }
    }
    return out;
  }

  private static Object convert(Schema schema, Argument argument, Object value) {
    Class<?> type = argument.type().javaType();
    if (value == null) {
      if (type.isPrimitive() || !(argument.type() instanceof SchemaType.OptionalOf)) {
        throw refused(schema, argument, "null");
      }
      return null;
    }
    Object converted = to(type, value);
    if (converted == null) {
      throw refused(schema, argument, value.getClass().getSimpleName());
    }
    return converted;
  }

  /** The value as that type; null if it is none. */
  private static Object to(Class<?> type, Object value) {
    if (type == long.class || type == Long.class) {
      return value instanceof Long || value instanceof Integer || value instanceof Short
          ? (Object) ((Number) value).longValue()
          : null;
    }
    if (type == double.class || type == Double.class) {
      return value instanceof Number n ? (Object) n.doubleValue() : null;
    }
    if (type == boolean.class) {
      return value instanceof Boolean ? value : null;
    }
    if (type == Scalar.class) {
      return scalar(value);
    }
    if (type == long[].class) {
      return longs(value);
    }
    if (type == double[].class && value instanceof List<?> list) {
      return list.stream().allMatch(Number.class::isInstance)
          ? list.stream().mapToDouble(o -> ((Number) o).doubleValue()).toArray()
          : null;
    }
    if (type == List.class && value instanceof Tensor[] tensors) {
      return Arrays.asList(tensors);
    }
    if (type == Device.class && value instanceof String text) {
      return Device.parse(text);
    }
    if (type == DType.class && value instanceof String text) {
      return DType.parse(text);
    }
    return type.isInstance(value) ? value : null;
  }

  private static Scalar scalar(Object value) {
    return switch (value) {
      case Scalar s -> s;
      case Long n -> Scalar.of(n);
      case Integer n -> Scalar.of(n.longValue());
      case Short n -> Scalar.of(n.longValue());
      case Byte n -> Scalar.of(n.longValue());
      case Double d -> Scalar.of(d);
      case Float f -> Scalar.of(f.doubleValue());
      case Boolean b -> Scalar.of(b);
      default -> null;
    };
  }

  private static long[] longs(Object value) {
    return switch (value) {
      case long[] array -> array;
      case int[] array -> Arrays.stream(array).asLongStream().toArray();
      case Long n -> new long[] {n};
      case Integer n -> new long[] {n};
      case List<?> list
          when list.stream().allMatch(o -> o instanceof Long || o instanceof Integer) ->
          list.stream().mapToLong(o -> ((Number) o).longValue()).toArray();
      default -> null;
    };
  }

  private static IllegalArgumentException refused(Schema schema, Argument argument, String given) {
    return new IllegalArgumentException(
        schema.qualifiedName()
            + ": argument '"
            + argument.name()
            + "' is "
            + argument.type()
            + " and cannot be "
            + given
            + "; schema: "
            + schema);
  }
}
