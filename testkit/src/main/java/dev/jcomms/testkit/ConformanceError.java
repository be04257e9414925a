package dev.jcomms.testkit;

/**
 * What a backend or a store did was not what it must: the message says which rank called what, what
 * is there and what should be.
 */
public final class ConformanceError extends AssertionError {
  private static final long serialVersionUID = 1L;

  /** A finding. */
  public ConformanceError(String message) {
    super(message);
  }

  /** A finding with what led to it. */
  public ConformanceError(String message, Throwable cause) {
    super(message, cause);
  }
}
