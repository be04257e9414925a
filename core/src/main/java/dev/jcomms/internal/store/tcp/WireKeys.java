package dev.jcomms.internal.store.tcp;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A user's keys and values as the wire has them, checked before anything is sent. */
final class WireKeys {
  private WireKeys() {}

  static byte[] encode(String key) {
    Objects.requireNonNull(key, "key");
    byte[] bytes = (Protocol.KEY_PREFIX + key).getBytes(StandardCharsets.UTF_8);
    if (bytes.length > Protocol.MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          "store: key bytes=" + bytes.length + " passes the limit " + Protocol.MAX_KEY_BYTES);
    }
    return bytes;
  }

  static List<byte[]> encode(List<String> keys) {
    checkCount(keys.size());
    return keys.stream().map(WireKeys::encode).toList();
  }

  static void checkCount(int keys) {
    if (keys > Protocol.MAX_KEYS) {
      throw new IllegalArgumentException(
          "store: keys=" + keys + " passes the limit " + Protocol.MAX_KEYS);
    }
  }

  static byte[] checkValue(byte[] value) {
    Objects.requireNonNull(value, "value");
    if (value.length > Protocol.MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "store: value bytes=" + value.length + " passes the limit " + Protocol.MAX_VALUE_BYTES);
    }
    return value;
  }

  /** The user's key, or null if the key is none of a user's. */
  static String decode(byte[] bytes) {
    String key = new String(bytes, StandardCharsets.UTF_8);
    return key.startsWith(Protocol.KEY_PREFIX) ? key.substring(Protocol.KEY_PREFIX.length()) : null;
  }
}
