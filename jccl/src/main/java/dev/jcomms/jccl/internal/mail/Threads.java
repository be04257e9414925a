package dev.jcomms.jccl.internal.mail;

/** Ending threads. */
final class Threads {
  private Threads() {}

  /** Waits until a thread that was told to end has ended, whatever interrupts this one. */
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
