package dev.jcomms.jccl.internal.mail;

/**
 * How far this rank has come in a window, and how far the others know: they are told each half of a
 * fence once, and the end after all halves. Any thread.
 *
 * <p>One thread tells at a time, and what others want told meanwhile too: so all is told in order,
 * and under no lock, since telling may lead back here.
 */
final class Announcer {
  private final Runnable half;
  private final Runnable end;

  /** Halves that this rank has come to, and those that the others were told. */
  private long come;

  private long told;
  private boolean ending;
  private boolean ended;
  private boolean telling;

  /**
   * @param half tells the others that this rank has come to one half more
   * @param end tells them that it has come to the end
   */
  Announcer(Runnable half, Runnable end) {
    this.half = half;
    this.end = end;
  }

  /** This rank has come to a half, and to those before it. */
  void come(long half) {
    synchronized (this) {
      come = Math.max(come, half);
    }
    tell();
  }

  /** This rank has come to the end: who is at a fence that it has given up may pass that one. */
  void end() {
    synchronized (this) {
      come = Math.ceilDiv(come, 2) * 2;
      ending = true;
    }
    tell();
  }

  private void tell() {
    for (Runnable next = next(); next != null; next = next()) {
      try {
        next.run();
      } finally {
        told();
      }
    }
  }

  /** What is to be told next; null if nothing is, or by another. */
  private synchronized Runnable next() {
    if (telling || ended) {
      return null;
    }
    if (told < come) {
      told++;
      telling = true;
      return half;
    }
    ended = ending;
    telling = ending;
    return ending ? end : null;
  }

  private synchronized void told() {
    telling = false;
  }
}
