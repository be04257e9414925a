package dev.jcomms;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON text to plain Java values and back, strict in both directions. Depth is bounded: the text
 * may be a peer's.
 */
final class Json {
  private static final int MAX_DEPTH = 200;
  private static final int MAX_NUMBER = 400;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out, 0);
    return out.toString();
  }

  static Object read(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.blanks();
    if (json.at < text.length()) {
      throw json.wrong("end of text");
    }
    return value;
  }

  private static void write(Object value, StringBuilder out, int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("JSON: nested deeper than " + MAX_DEPTH);
    }
    switch (value) {
      case null -> out.append("null");
      case Boolean b -> out.append(b);
      case Double d -> out.append(finite(d));
      case Float f -> out.append(finite(f.doubleValue()));
      case Long n -> out.append(n);
      case Integer n -> out.append(n);
      case Short n -> out.append(n);
      case Byte n -> out.append(n);
      case CharSequence s -> string(s, out);
      case List<?> list -> {
        String separator = "[";
        for (Object item : list) {
          out.append(separator);
          write(item, out, depth + 1);
          separator = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      }
      case Map<?, ?> map -> {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          if (!(entry.getKey() instanceof String key)) {
            throw new IllegalArgumentException("JSON: key " + entry.getKey() + " is not a String");
          }
          out.append(separator);
          string(key, out);
          out.append(':');
          write(entry.getValue(), out, depth + 1);
          separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      default ->
          throw new IllegalArgumentException(
              "JSON cannot say a " + value.getClass().getName() + "; see Codecs.JSON");
    }
  }

  private static double finite(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("JSON cannot say " + value);
    }
    return value;
  }

  private static void string(CharSequence text, StringBuilder out) {
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
      throw wrong("nesting of at most " + MAX_DEPTH);
    }
    blanks();
    return switch (peek()) {
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
    Map<String, Object> map = new LinkedHashMap<>();
    expect('{');
    blanks();
    if (accept('}')) {
      return map;
    }
    do {
      blanks();
      String key = string();
      blanks();
      expect(':');
      if (map.containsKey(key)) {
        throw wrong("a key other than '" + key + "', which is there");
      }
      map.put(key, value(depth + 1));
      blanks();
    } while (accept(','));
    expect('}');
    return map;
  }

  private List<Object> array(int depth) {
    List<Object> list = new ArrayList<>();
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
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        return text.substring(start, at++);
      }
      if (c == '\\') {
        break;
      }
      if (c < 0x20) {
        throw wrong("no control character in a string");
      }
      at++;
    }
    StringBuilder out = new StringBuilder().append(text, start, at);
    while (true) {
      char c = next("the end of a string");
      if (c == '"') {
        return out.toString();
      }
      if (c < 0x20) {
        throw wrong("no control character in a string");
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
            throw wrong("a hexadecimal digit");
          }
          code = code * 16 + digit;
        }
        yield (char) code;
      }
      default -> throw wrong("an escape");
    };
  }

  private Object literal(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong(word);
    }
    at += word.length();
    return value;
  }

  private Number number() {
    int start = at;
    accept('-');
    if (!accept('0')) {
      digits(start);
    }
    boolean whole = true;
    if (accept('.')) {
      whole = false;
      digits(start);
    }
    if (accept('e') || accept('E')) {
      whole = false;
      if (!accept('-')) {
        accept('+');
      }
      digits(start);
    }
    if (at - start > MAX_NUMBER) {
      at = start;
      throw wrong("a number of at most " + MAX_NUMBER + " characters");
    }
    String number = text.substring(start, at);
    if (whole) {
      try {
        return Long.valueOf(number);
      } catch (NumberFormatException e) {
        return Double.valueOf(number);
      }
    }
    return Double.valueOf(number);
  }

  /** At least one, of a number that began at {@code start}. */
  private void digits(int start) {
    int first = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == first) {
      at = start;
      throw wrong("a value");
    }
  }

  private void blanks() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        return;
      }
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("a value");
    }
    return text.charAt(at);
  }

  private char next(String expected) {
    if (at >= text.length()) {
      throw wrong(expected);
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
      throw wrong("'" + c + "'");
    }
  }

  private IllegalArgumentException wrong(String expected) {
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
    return new IllegalArgumentException(
        "JSON: expected " + expected + " at position " + at + ", found " + found);
  }
}
