package dev.jcomms.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Bytes as one line of text that a terminal shows and cannot be harmed by: printable UTF-8 as it
 * is, everything else as {@code \n}, {@code \t}, {@code \\} or {@code \xHH}.
 */
public final class Text {
  private Text() {}

  /** Bytes, which are UTF-8 or not. */
  public static String of(byte[] bytes) {
    try {
      return of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return escaped(new String(bytes, StandardCharsets.ISO_8859_1), 0x7f);
    }
  }

  /** Text that came from elsewhere. */
  public static String of(String text) {
    return escaped(text, Character.MAX_CODE_POINT);
  }

  private static String escaped(String text, int last) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\\') {
                out.append("\\\\");
              } else if (c == '\n') {
                out.append("\\n");
              } else if (c == '\t') {
                out.append("\\t");
              } else if (c <= last && printable(c)) {
                out.appendCodePoint(c);
              } else if (c < 0x100 && last < 0x100) {
                out.append(String.format(Locale.ROOT, "\\x%02x", c));
              } else {
                // A character of valid text: its bytes, so that the escapes always mean bytes.
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                  out.append(String.format(Locale.ROOT, "\\x%02x", b));
                }
              }
            });
    return out.toString();
  }

  /** Controls, and what turns or hides the text around it, is not. */
  private static boolean printable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
