package dev.jcomms.tensor.dispatch;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Reads a schema's text from left to right: spaces skipped, words, numbers and strings whole. */
final class SchemaScanner {
  /** Far above the longest schema of PyTorch, which has under two thousand characters. */
  static final int MAX_LENGTH = 1 << 16;

  private static final char END = '\0';

  private final String text;
  private int position;

  SchemaScanner(String text) {
    this.text = text;
    if (text.length() > MAX_LENGTH) {
      throw error(MAX_LENGTH, "text of " + text.length() + " characters; at most " + MAX_LENGTH);
    }
  }

  /** Where the next token starts. */
  int position() {
    skipSpace();
    return position;
  }

  /** The first character of the next token; {@code '\0'} at the end. */
  char peek() {
    skipSpace();
    return position < text.length() ? text.charAt(position) : END;
  }

  boolean atEnd() {
    skipSpace();
    return position == text.length();
  }

  boolean atWord() {
    return isWordStart(peek());
  }

  boolean atNumber() {
    char c = peek();
    return isDigit(c) || c == '.' && position + 1 < text.length() && isDigit(charAt(position + 1));
  }

  /** Takes the token if it is next. */
  boolean take(String token) {
    skipSpace();
    if (!text.startsWith(token, position)) return false;
    position += token.length();
    return true;
  }

  /** Takes {@code []}, with or without space between; a bracket with more in it stays. */
  boolean takeBrackets() {
    int start = position;
    if (take("[") && take("]")) return true;
    position = start;
    return false;
  }

  void expect(String token) {
    if (!take(token)) throw expected("'" + token + "'");
  }

  /** A name of ASCII letters, digits and underscores that starts with no digit. */
  String word(String what) {
    if (!atWord()) throw expected(what);
    int start = position;
    while (position < text.length() && isWordPart(charAt(position))) position++;
    return text.substring(start, position);
  }

  /** The digits of a number, with point and exponent if it has them, without a sign. */
  String number() {
    if (!atNumber()) throw expected("a number");
    int start = position;
    digits();
    if (position < text.length() && charAt(position) == '.') {
      position++;
      digits();
    }
    exponent();
    return text.substring(start, position);
  }

  /** A string in single, double or triple quotes, its escapes resolved. */
  String string() {
    char quote = peek();
    if (quote != '"' && quote != '\'') throw expected("a string");
    int start = position;
    String fence = String.valueOf(quote).repeat(3);
    if (!text.startsWith(fence, position)) fence = String.valueOf(quote);
    position += fence.length();
    // Octal escapes are bytes of UTF-8, so the whole string is put together from bytes.
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!text.startsWith(fence, position)) {
      if (position >= text.length() || charAt(position) == '\n' && fence.length() == 1) {
        throw error(start, "expected a closing " + fence + " for the string that starts here");
      }
      if (charAt(position) == '\\') {
        bytes.write(escape());
      } else {
        int codePoint = text.codePointAt(position);
        bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
        position += Character.charCount(codePoint);
      }
    }
    position += fence.length();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private int escape() {
    int start = position++;
    int known = position < text.length() ? Escapes.LETTERS.indexOf(charAt(position)) : -1;
    if (known >= 0) {
      position++;
      return Escapes.MEANINGS.charAt(known);
    }
    int value = 0;
    for (int i = 0; i < 3; i++) {
      int digit = position < text.length() ? charAt(position) - '0' : -1;
      if (digit < 0 || digit > 7) {
        throw error(start, "expected one of " + Escapes.LETTERS + " or 3 octal digits after '\\'");
      }
      position++;
      value = 8 * value + digit;
    }
    if (value > 0xff) throw error(start, "octal escape of " + value + "; a byte is at most 255");
    return value;
  }

  SchemaException expected(String what) {
    return error(position(), "expected " + what + ", found " + found());
  }

  SchemaException error(int at, String problem) {
    return new SchemaException(text, at, problem);
  }

  private String found() {
    if (atEnd()) return "the end";
    int end = position + 1;
    if (isWordPart(charAt(position))) {
      while (end < text.length() && end - position < 40 && isWordPart(charAt(end))) end++;
    }
    return "'" + text.substring(position, end) + "'";
  }

  private void digits() {
    while (position < text.length() && isDigit(charAt(position))) position++;
  }

  /** An {@code e} that no digits follow belongs to what comes next. */
  private void exponent() {
    if (position >= text.length() || (charAt(position) | 0x20) != 'e') return;
    int at = position + 1;
    if (at < text.length() && (charAt(at) == '+' || charAt(at) == '-')) at++;
    if (at >= text.length() || !isDigit(charAt(at))) return;
    position = at;
    digits();
  }

  private void skipSpace() {
    while (position < text.length() && " \t\r\n".indexOf(charAt(position)) >= 0) position++;
  }

  private char charAt(int index) {
    return text.charAt(index);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWordStart(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  private static boolean isWordPart(char c) {
    return isWordStart(c) || isDigit(c);
  }
}
