package dev.jcomms.store;

/**
 * A store did not do what it was asked: the connection was lost, the content does not allow it, the
 * deadline passed ({@link StoreTimeoutException}), or the calling thread was interrupted (the cause
 * is then an {@link InterruptedException}, and the thread's interrupt flag is set).
 */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An error of the store's own finding. */
  public StoreException(String message) {
    super(message);
  }

  /** An error that something below the store gave rise to. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
