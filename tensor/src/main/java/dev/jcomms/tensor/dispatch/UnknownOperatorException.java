package dev.jcomms.tensor.dispatch;

/** An operator was asked for that nobody has defined, or not yet. */
final class UnknownOperatorException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UnknownOperatorException(String message) {
    super(message);
  }
}
