package dev.jcomms.cli.launch;

import java.io.IOException;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into lines, whatever the encoding.
 *
 * <p>Memory is bounded: a line longer than {@code limit} bytes is handed on in pieces. Belongs to
 * one thread.
 */
final class LineSplitter {

  /** Takes lines, without their line end; {@code ended} is false for a piece or an unended line. */
  interface Receiver {
    void line(byte[] bytes, int from, int to, boolean ended) throws IOException;
  }

  private final int limit;
  private final Receiver receiver;
  private byte[] pending = new byte[256];
  private int held;

  LineSplitter(int limit, Receiver receiver) {
    this.limit = limit;
    this.receiver = receiver;
  }

  void feed(byte[] bytes, int count) throws IOException {
    int from = 0;
    for (int i = 0; i < count; i++) {
      if (bytes[i] != '\n') continue;
      if (held == 0) {
        receiver.line(bytes, from, i, true);
      } else {
        hold(bytes, from, i);
        receiver.line(pending, 0, held, true);
        held = 0;
      }
      from = i + 1;
    }
    hold(bytes, from, count);
    if (held >= limit) {
      receiver.line(pending, 0, held, false);
      held = 0;
    }
  }

  /** The stream has ended: hands on what had no line end. */
  void end() throws IOException {
    if (held > 0) receiver.line(pending, 0, held, false);
    held = 0;
  }

  private void hold(byte[] bytes, int from, int to) {
    int more = to - from;
    if (held + more > pending.length) {
      pending = Arrays.copyOf(pending, Math.max(held + more, 2 * pending.length));
    }
    System.arraycopy(bytes, from, pending, held, more);
    held += more;
  }
}
