package dev.jcomms.jccl.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A place in a JSON tree that knows its path: everything read from it fails with that path. */
final class Node {
  private final Node parent;
  private final String step;
  private final Object value;

  private Node(Node parent, String step, Object value) {
    this.parent = parent;
    this.step = step;
    this.value = value;
  }

  static Node root(Object value) {
    return new Node(null, "", value);
  }

  /** The path, as {@code gpus[1].threadblocks[0]}. */
  String path() {
    if (parent == null) {
      return "";
    }
    return step.startsWith("[") ? parent.path() + step : Json.path(parent.path(), step);
  }

  PlanException wrong(String problem) {
    return new PlanException(path(), problem);
  }

  boolean has(String key) {
    return object().containsKey(key);
  }

  /** The value of a key that must be there. */
  Node at(String key) {
    Map<?, ?> object = object();
    if (!object.containsKey(key)) {
      throw new Node(this, key, null).wrong("missing");
    }
    return new Node(this, key, object.get(key));
  }

  <T> T optional(String key, Function<Node, T> read, T absent) {
    return has(key) ? read.apply(at(key)) : absent;
  }

  /** The items of an array, each read in turn. */
  <T> List<T> list(Function<Node, T> read) {
    if (!(value instanceof List<?> items)) {
      throw isNot("an array");
    }
    List<T> list = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      list.add(read.apply(new Node(this, "[" + i + "]", items.get(i))));
    }
    return list;
  }

  String string() {
    if (value instanceof String string) {
      return string;
    }
    throw isNot("a string");
  }

  boolean flag() {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw isNot("true or false");
  }

  /** An integer of 32 bits. */
  int integer() {
    if (value instanceof Json.Num(String digits)) {
      try {
        return Integer.parseInt(digits);
      } catch (NumberFormatException _) {
        // Below: with the path.
      }
    }
    throw isNot("an integer of 32 bits");
  }

  /** An integer from zero to the largest of 31 bits. */
  int count() {
    if (value instanceof Json.Num(String digits) && !digits.startsWith("-")) {
      try {
        return Integer.parseInt(digits);
      } catch (NumberFormatException _) {
        // Below: with the path.
      }
    }
    throw isNot("a count below 2^31");
  }

  /** An integer of 64 bits without a sign. */
  long unsigned() {
    if (value instanceof Json.Num(String digits) && !digits.startsWith("-")) {
      try {
        return Long.parseUnsignedLong(digits);
      } catch (NumberFormatException _) {
        // Below: with the path.
      }
    }
    throw isNot("a count below 2^64");
  }

  /** One of some values, each known by a word. */
  <T> T oneOf(T[] values, Function<T, String> word) {
    if (value instanceof String string) {
      for (T candidate : values) {
        if (word.apply(candidate).equals(string)) {
          return candidate;
        }
      }
    }
    List<String> words = Arrays.stream(values).map(word).toList();
    throw isNot(
        words.size() == 1
            ? words.getFirst()
            : words.stream().limit(words.size() - 1L).collect(Collectors.joining(", "))
                + " or "
                + words.getLast());
  }

  private Map<?, ?> object() {
    if (value instanceof Map<?, ?> object) {
      return object;
    }
    throw isNot("an object");
  }

  private PlanException isNot(String expected) {
    String found =
        switch (value) {
          case null -> "null";
          case Map<?, ?> _ -> "an object";
          case List<?> _ -> "an array";
          case Boolean flag -> flag.toString();
          default -> "'" + shortened(value.toString()) + "'";
        };
    return wrong(found + " is not " + expected);
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
