package dev.jcomms.jccl.internal.algo;

/**
 * An algorithm was forced that cannot do an operation, by what all ranks know alike: so all refuse
 * it, before anything has moved. Other refusals are one rank's own.
 */
public final class UnsuitableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public UnsuitableException(String message) {
    super(message);
  }
}
