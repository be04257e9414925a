package dev.jcomms.jccl.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON text to a tree and back, strict both ways. The tree is made of maps, lists, strings,
 * booleans, {@code null} and {@link Num}.
 *
 * <p>A hostile text costs memory in proportion to the bounds here, and no deep stack.
 */
final class Json {
  static final int MAX_CHARS = 64 << 20;
  private static final int MAX_VALUES = 4 << 20;
  private static final int MAX_DEPTH = 64;

  /** A number as it is written: no precision is lost, 64 unsigned bits least of all. */
  record Num(String digits) {
    static Num of(long value) {
      return new Num(Long.toString(value));
    }

    static Num ofUnsigned(long value) {
      return new Num(Long.toUnsignedString(value));
    }

    @Override
    public String toString() {
      return digits;
    }
  }

  private final String text;
  private int at;
  private int values;

  private Json(String text) {
    this.text = text;
  }

  /** The path of a key of the object at a path. */
  static String path(String parent, String key) {
    return parent.isEmpty() ? key : parent + "." + key;
  }

  static Object read(String text) {
    if (text.length() > MAX_CHARS) {
      throw new PlanException("", "longer than " + MAX_CHARS + " characters");
    }
    Json json = new Json(text);
    Object value = json.value(0);
    json.blanks();
    if (json.at < text.length()) {
      throw json.expected("the end of the text");
    }
    return value;
  }

  /** One line, no blanks. */
  static String write(Object tree) {
    StringBuilder out = new StringBuilder();
    write(tree, out, -1, 0);
    return out.toString();
  }

  /** Lines indented by two blanks a level, and one at the end. */
  static String writeIndented(Object tree) {
    StringBuilder out = new StringBuilder();
    write(tree, out, 2, 0);
    return out.append('\n').toString();
  }

  private static void write(Object value, StringBuilder out, int indent, int depth) {
    switch (value) {
      case null -> out.append("null");
      case Boolean b -> out.append(b);
      case Num number -> out.append(number.digits());
      case String s -> string(s, out);
      case List<?> list -> {
        out.append('[');
        String separator = "";
        for (Object item : list) {
          out.append(separator);
          newLine(out, indent, depth + 1);
          write(item, out, indent, depth + 1);
          separator = ",";
        }
        if (!list.isEmpty()) {
          newLine(out, indent, depth);
        }
        out.append(']');
      }
      case Map<?, ?> map -> {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(separator);
          newLine(out, indent, depth + 1);
          string((String) entry.getKey(), out);
          out.append(indent < 0 ? ":" : ": ");
          write(entry.getValue(), out, indent, depth + 1);
          separator = ",";
        }
        if (!map.isEmpty()) {
          newLine(out, indent, depth);
        }
        out.append('}');
      }
      default -> throw new AssertionError(value.getClass());
    }
  }

  private static void newLine(StringBuilder out, int indent, int depth) {
    if (indent >= 0) {
      out.append('\n').repeat(' ', indent * depth);
    }
  }

  private static void string(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          // A lone surrogate has no UTF-8: escaped, it survives the trip.
          if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH) {
      throw expected("nesting of at most " + MAX_DEPTH);
    }
    if (++values > MAX_VALUES) {
      throw expected("at most " + MAX_VALUES + " values");
    }
    blanks();
    return switch (at < text.length() ? text.charAt(at) : '\0') {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> literal("true", true);
      case 'f' -> literal("false", false);
      case 'n' -> literal("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> map = LinkedHashMap.newLinkedHashMap(4);
    expect('{');
    blanks();
    if (accept('}')) {
      return map;
    }
    do {
      blanks();
      String key = string();
      if (map.containsKey(key)) {
        throw expected("a key other than '" + key + "' twice");
      }
      blanks();
      expect(':');
      map.put(key, value(depth + 1));
      blanks();
    } while (accept(','));
    expect('}');
    return map;
  }

  private List<Object> array(int depth) {
    List<Object> list = new ArrayList<>(2);
    expect('[');
    blanks();
    if (accept(']')) {
      return list;
    }
    do {
      list.add(value(depth + 1));
      blanks();
    } while (accept(','));
    expect(']');
    return list;
  }

  private String string() {
    expect('"');
    int start = at;
    while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\') {
      if (text.charAt(at++) < 0x20) {
        throw expected("no control character in a string");
      }
    }
    StringBuilder out = new StringBuilder().append(text, start, at);
    while (true) {
      char c = next("the end of a string");
      if (c == '"') {
        return out.toString();
      }
      if (c < 0x20) {
        throw expected("no control character in a string");
      }
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = next("an escape");
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          int digit = Character.digit(next("a hexadecimal digit"), 16);
          if (digit < 0) {
            throw expected("a hexadecimal digit");
          }
          code = code * 16 + digit;
        }
        yield (char) code;
      }
      default -> throw expected("an escape");
    };
  }

  private Object literal(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw expected(word);
    }
    at += word.length();
    return value;
  }

  private Num number() {
    int start = at;
    accept('-');
    if (!accept('0')) {
      digits(start);
    }
    if (accept('.')) {
      digits(start);
    }
    if (accept('e') || accept('E')) {
      if (!accept('-')) {
        accept('+');
      }
      digits(start);
    }
    return new Num(text.substring(start, at));
  }

  /** At least one, of a number that began at {@code start}. */
  private void digits(int start) {
    int first = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == first) {
      at = start;
      throw expected("a value");
    }
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char next(String what) {
    if (at >= text.length()) {
      throw expected(what);
    }
    return text.charAt(at++);
  }

  private boolean accept(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw expected("'" + c + "'");
    }
  }

  /** JSON itself is broken: there is no path yet, so the line and column say where. */
  private PlanException expected(String what) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < Math.min(at, text.length()); i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
    return new PlanException(
        "",
        "not JSON: expected %s at line %d column %d, found %s"
            .formatted(what, line, at - lineStart + 1, found));
  }
}
