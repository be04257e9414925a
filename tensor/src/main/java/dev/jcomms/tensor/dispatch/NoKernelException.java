package dev.jcomms.tensor.dispatch;

/** An operator has no kernel for the keys of its arguments; the message lists the keys it has. */
public final class NoKernelException extends UnsupportedOperationException {
  private static final long serialVersionUID = 1;

  NoKernelException(String message) {
    super(message);
  }
}
