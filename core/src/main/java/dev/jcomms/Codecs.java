package dev.jcomms;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The ready-made codecs. */
public final class Codecs {
  /** Bytes as they are. */
  public static final Codec<byte[]> BYTES =
      new Codec<>() {
        @Override
        public byte[] encode(byte[] value) {
          return value.clone();
        }

        @Override
        public byte[] decode(byte[] bytes) {
          return bytes;
        }
      };

  /** Text as UTF-8. */
  public static final Codec<String> STRING =
      new Codec<>() {
        @Override
        public byte[] encode(String value) {
          return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
          return utf8(bytes);
        }
      };

  /**
   * What JSON can say: {@code null}, {@link Boolean}, {@link Long}, {@link Double}, {@link String},
   * {@link java.util.List} and {@link java.util.Map} with text keys. Other whole numbers arrive as
   * {@code Long}, other floating ones as {@code Double}; NaN and infinities are refused.
   */
  public static final Codec<Object> JSON =
      new Codec<>() {
        @Override
        public byte[] encode(Object value) {
          return Json.write(value).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(byte[] bytes) {
          return Json.read(utf8(bytes));
        }
      };

  private Codecs() {}

  private static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8: " + bytes.length + " bytes", e);
    }
  }
}
