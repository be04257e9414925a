package dev.jcomms.internal.store.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * PyTorch's FileStore format: a log of records, each a 32-bit length and a key, a 32-bit length and
 * a value. A user's key has a slash before it; a record whose key begins with a minus deletes the
 * key behind it. Keys are Latin-1 text of the bytes, whatever their encoding.
 */
final class FileRecords {
  private static final String USER = "/";
  private static final String DELETE = "-";
  private static final byte[] NONE = {};

  private FileRecords() {}

  /** The key that a user's key has in the file. */
  static String fileKey(String key) {
    byte[] bytes = (USER + key).getBytes(StandardCharsets.UTF_8);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** The user's key, or null if it is one of the store's own. */
  static String userKey(String fileKey) {
    if (!fileKey.startsWith(USER)) return null;
    byte[] bytes = fileKey.substring(USER.length()).getBytes(StandardCharsets.ISO_8859_1);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The record that sets a key. */
  static byte[] set(String fileKey, byte[] value) {
    byte[] key = fileKey.getBytes(StandardCharsets.ISO_8859_1);
    int bytes = Math.addExact(2 * Integer.BYTES + key.length, value.length);
    ByteBuffer record = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return record.putInt(key.length).put(key).putInt(value.length).put(value).array();
  }

  /** The record that deletes a key. */
  static byte[] delete(String fileKey) {
    return set(DELETE + fileKey, NONE);
  }

  /** Applies the records to {@code values}; returns how many bytes the complete ones take. */
  static int replay(byte[] records, Map<String, byte[]> values) {
    ByteBuffer in = ByteBuffer.wrap(records).order(ByteOrder.LITTLE_ENDIAN);
    int complete = 0;
    while (true) {
      byte[] key = field(in);
      byte[] value = key == null ? null : field(in);
      if (value == null) return complete;
      String name = new String(key, StandardCharsets.ISO_8859_1);
      if (name.startsWith(DELETE)) values.remove(name.substring(DELETE.length()));
      else values.put(name, value);
      complete = in.position();
    }
  }

  /** The next field, or null if its bytes are not all there. */
  private static byte[] field(ByteBuffer in) {
    if (in.remaining() < Integer.BYTES) return null;
    long length = Integer.toUnsignedLong(in.getInt());
    if (length > in.remaining()) return null;
    byte[] bytes = new byte[(int) length];
    in.get(bytes);
    return bytes;
  }
}
