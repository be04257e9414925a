package dev.jcomms.testkit.reference;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What one rank asks of another's part of a window: a line of words, and bytes.
 *
 * @param words the kind ({@code put}, {@code accumulate}, {@code get}, {@code signal}, {@code
 *     flush}, {@code stop}), who asks, and what belongs to the kind
 */
record WindowRequest(String[] words, byte[] bytes) {

  static byte[] encode(String line, byte[] bytes) {
    byte[] head = (line + "\n").getBytes(StandardCharsets.UTF_8);
    byte[] request = Arrays.copyOf(head, head.length + bytes.length);
    System.arraycopy(bytes, 0, request, head.length, bytes.length);
    return request;
  }

  static WindowRequest decode(byte[] request) {
    int end = 0;
    while (request[end] != '\n') {
      end++;
    }
    return new WindowRequest(
        new String(request, 0, end, StandardCharsets.UTF_8).split(" "),
        Arrays.copyOfRange(request, end + 1, request.length));
  }

  String kind() {
    return words[0];
  }

  int asker() {
    return Integer.parseInt(words[1]);
  }

  long number(int word) {
    return Long.parseLong(words[word]);
  }
}
