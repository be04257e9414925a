package dev.jcomms.internal;

/**
 * Lets an abort interrupt the thread that is inside a backend which cannot be woken otherwise: that
 * thread, while it is there, and no other.
 */
final class Waker {
  private Thread inside;
  private boolean woken;

  /** Whether its flag was not set before: then it is to be cleared. */
  private boolean interrupted;

  /** This thread enters the backend. */
  synchronized void enter() {
    inside = Thread.currentThread();
    woken = false;
    interrupted = false;
  }

  /**
   * This thread has left the backend; true if it was woken, and then its interrupt flag is as
   * before: who was interrupted by the user, and woken because of that, stays so.
   */
  synchronized boolean leave() {
    inside = null;
    if (interrupted) {
      Thread.interrupted();
    }
    return woken;
  }

  synchronized void wake() {
    if (inside != null && inside != Thread.currentThread()) {
      woken = true;
      interrupted |= !inside.isInterrupted();
      inside.interrupt();
    }
  }
}
