package dev.jcomms.tensor.dispatch;

/**
 * A text that is no schema: what was found, what was expected, and the place, with a caret under
 * it.
 */
public final class SchemaException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** Characters of the text shown on each side of the place; a message stays readable. */
  private static final int CONTEXT = 60;

  /** Characters of the problem, which may quote the text. */
  private static final int PROBLEM = 500;

  private final int column;

  SchemaException(String text, int position, String problem) {
    super(message(text, position, problem));
    this.column = position + 1;
  }

  /** Where it went wrong, counted from 1. */
  public int column() {
    return column;
  }

  private static String message(String text, int position, String problem) {
    int from = Math.max(0, position - CONTEXT);
    int to = Math.min(text.length(), position + CONTEXT);
    String before = from > 0 ? "..." : "";
    StringBuilder shown = new StringBuilder(before);
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      shown.append(Character.isISOControl(c) ? ' ' : c);
    }
    if (to < text.length()) shown.append("...");
    String caret = " ".repeat(before.length() + position - from) + "^";
    String said = problem.length() <= PROBLEM ? problem : problem.substring(0, PROBLEM) + "...";
    return "schema, column %d: %s%n  %s%n  %s".formatted(position + 1, said, shown, caret);
  }
}
