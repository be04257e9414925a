package dev.jcomms.jccl.dsl;

/**
 * A program that makes no sense: says on which line of its source, what was asked and what is true.
 * Thrown while the program is being defined.
 */
public final class ProgramException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProgramException(String message) {
    super(message);
  }

  ProgramException(String message, Throwable cause) {
    super(message, cause);
  }
}
