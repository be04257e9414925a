package dev.jcomms.tensor.dispatch;

/** The letters that a backslash turns into another character in a schema's strings. */
final class Escapes {
  static final String LETTERS = "abfnrtv\\'\"";

  /** What each of {@link #LETTERS} means, at the same index. */
  static final String MEANINGS = "\u0007\b\f\n\r\t\u000b\\'\"";

  private Escapes() {}
}
