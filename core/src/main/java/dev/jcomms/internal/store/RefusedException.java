package dev.jcomms.internal.store;

/** A request that the state of the store or its limits do not allow; it has changed nothing. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Refused for a reason given as facts. */
  public RefusedException(String message) {
    super(message, null, false, false);
  }
}
