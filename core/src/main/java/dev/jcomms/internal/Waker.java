package dev.jcomms.internal;

/**
 * Lets an abort interrupt the thread that is inside a backend which cannot be woken otherwise: that
 * thread, while it is there, and no other.
 */
final class Waker {
  private Thread inside;
  private boolean woken;

  /** This thread enters the backend. */
  synchronized void enter() {
    inside = Thread.currentThread();
    woken = false;
  }

  /**
   * This thread has left the backend; true if it was woken, and then its interrupt flag is as
   * before.
   */
  synchronized boolean leave() {
    inside = null;
    if (woken) {
      Thread.interrupted();
    }
    return woken;
  }

  synchronized void wake() {
    if (inside != null && inside != Thread.currentThread()) {
      woken = true;
      inside.interrupt();
    }
  }
}
