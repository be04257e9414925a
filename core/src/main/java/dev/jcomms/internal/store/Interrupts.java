package dev.jcomms.internal.store;

import dev.jcomms.store.StoreException;

/** What an interrupted thread gets from a store: an exception, and its flag back. */
public final class Interrupts {
  private Interrupts() {}

  /** The exception for a call that was interrupted; sets the thread's flag. */
  public static StoreException during(String what, Throwable cause) {
    Thread.currentThread().interrupt();
    Throwable interrupted =
        cause instanceof InterruptedException ? cause : new InterruptedException().initCause(cause);
    return new StoreException(what + ": interrupted", interrupted);
  }

  /** Ends a call of a thread that is interrupted already, before it touches anything. */
  public static void check(String what) {
    if (Thread.currentThread().isInterrupted()) throw during(what, new InterruptedException());
  }
}
