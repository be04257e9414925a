package dev.jcomms.cli;

/**
 * Something a user can set right: the message states the facts and the next place to look, and is
 * shown without a stack trace.
 */
public final class CliException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Exit status for a command that was asked for wrongly. */
  public static final int USAGE = 2;

  private final int status;

  public CliException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** What was asked for cannot be: exit status 2. */
  public static CliException usage(String message) {
    return new CliException(USAGE, message);
  }

  /** What was asked for is in order but did not work out: exit status 1. */
  public static CliException failure(String message) {
    return new CliException(1, message);
  }

  public int status() {
    return status;
  }
}
