package dev.jcomms.jccl.internal.transport.tcp;

import java.nio.ByteBuffer;

/**
 * An operation as ranks tell each other about it: its number on the engine, and its facts.
 *
 * @param sequence -1 for no operation
 */
record Notice(long sequence, long head, long count) {
  static final int BYTES = 3 * Long.BYTES;

  /** About no operation. */
  static final Notice NONE = new Notice(-1, 0, 0);

  /** The last operation of a rank that is asked about a later one, and where it is instead. */
  Notice aside(long word) {
    return new Notice(sequence, 0, word);
  }

  void put(ByteBuffer to) {
    to.putLong(sequence).putLong(head).putLong(count);
  }

  static Notice get(ByteBuffer from) {
    return new Notice(from.getLong(), from.getLong(), from.getLong());
  }
}
