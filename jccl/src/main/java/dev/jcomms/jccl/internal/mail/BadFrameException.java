package dev.jcomms.jccl.internal.mail;

/** A peer has sent what no peer sends. It is not to be believed any more: it is lost. */
final class BadFrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadFrameException(String message) {
    super(message);
  }
}
