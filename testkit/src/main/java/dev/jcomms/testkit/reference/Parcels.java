package dev.jcomms.testkit.reference;

import dev.jcomms.store.Store;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bytes of any length under one key. Stores limit a value, so what is longer than a piece goes into
 * further keys. The first is written last: whoever sees it finds all of them.
 */
final class Parcels {
  private static final int PIECE_BYTES = 4 << 20;

  private final Store store;

  Parcels(Store store) {
    this.store = store;
  }

  /** Writes the bytes; the first value is their length and the first piece. */
  void put(String key, byte[] bytes) {
    for (int at = PIECE_BYTES; at < bytes.length; at += PIECE_BYTES) {
      store.set(
          piece(key, at), Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + PIECE_BYTES)));
    }
    int first = Math.min(bytes.length, PIECE_BYTES);
    store.set(
        key, ByteBuffer.allocate(4 + first).putInt(bytes.length).put(bytes, 0, first).array());
  }

  /** Reads bytes that are known to be there. */
  byte[] get(String key) {
    ByteBuffer head = ByteBuffer.wrap(store.get(key));
    byte[] bytes = new byte[head.getInt()];
    head.get(bytes, 0, head.remaining());
    for (int at = PIECE_BYTES; at < bytes.length; at += PIECE_BYTES) {
      byte[] piece = store.get(piece(key, at));
      System.arraycopy(piece, 0, bytes, at, piece.length);
    }
    return bytes;
  }

  /** Removes what {@link #put} wrote. */
  void delete(String key, int length) {
    store.delete(key);
    for (int at = PIECE_BYTES; at < length; at += PIECE_BYTES) {
      store.delete(piece(key, at));
    }
  }

  private static String piece(String key, int at) {
    return key + "+" + at;
  }
}
