package dev.jcomms.internal.store.tcp;

import static dev.jcomms.internal.store.tcp.RawClient.int64;
import static dev.jcomms.internal.store.tcp.RawClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.internal.store.tcp.Request.*;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestParserTest {
  private static final String EVERY_REQUEST =
      "00cef7853c"
          + ("01" + text("/k") + text("v"))
          + ("02" + text("/k") + text("v") + text("w"))
          + ("03" + text("/k"))
          + ("04" + text("/k") + int64(-1))
          + ("05" + int64(2) + text("/a") + text("/b"))
          + ("06" + int64(1) + text("/a"))
          + "07"
          + ("08" + text("/k"))
          + ("09" + text("/k") + text("v"))
          + ("0a" + int64(2) + text("/a") + text("/b"))
          + ("0a" + int64(0))
          + ("0b" + int64(2) + text("/a") + text("1") + text("/b") + text("2"))
          + "0c"
          + "0d01020304"
          + ("0e" + text("/q") + text("v"))
          + ("0f" + text("/q"))
          + ("10" + text("/q"))
          + "11"
          + ("12" + text("/b") + int64(3))
          + ("4a" + "01".repeat(32))
          + ("4b" + "02".repeat(32));

  /** What a request is, with arrays shown by their content. */
  private static String show(Request request) {
    return switch (request) {
      case Put(String key, byte[] value) -> "put " + key + "=" + new String(value);
      case Append(String key, byte[] value) -> "append " + key + "=" + new String(value);
      case QueuePush(String key, byte[] value) -> "push " + key + "=" + new String(value);
      case CompareSet(String key, byte[] expected, byte[] desired) ->
          "compareSet " + key + " " + new String(expected) + " " + new String(desired);
      case Hello(byte[] nonce) -> "hello " + nonce.length + " x " + nonce[31];
      case Prove(byte[] proof) -> "prove " + proof.length + " x " + proof[31];
      default -> request.toString();
    };
  }

  /** The requests in {@code bytes}, handed over {@code step} at a time. */
  static List<String> parse(byte[] bytes, int step) {
    RequestParser parser = new RequestParser();
    List<String> requests = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += step) {
      ByteBuffer in = ByteBuffer.wrap(bytes, at, Math.min(step, bytes.length - at));
      for (Request next; (next = parser.next(in, _ -> true)) != null; ) requests.add(show(next));
      assertThat(in.hasRemaining()).isFalse();
      assertThat(parser.bufferedBytes()).isLessThanOrEqualTo(1024 + 64L * bytes.length);
    }
    return requests;
  }

  @Test
  void everyRequestIsReadHoweverItIsCut() {
    byte[] bytes = HexFormat.of().parseHex(EVERY_REQUEST);
    List<String> whole = parse(bytes, bytes.length);
    assertThat(whole)
        .containsExactly(
            "Validate[magic=1015412686]",
            "put /k=v",
            "compareSet /k v w",
            "Get[key=/k]",
            "Add[key=/k, delta=-1]",
            "Check[keys=[/a, /b]]",
            "Wait[keys=[/a]]",
            "CountKeys[]",
            "Delete[key=/k]",
            "append /k=v",
            "Get[key=/a]",
            "Get[key=/b]",
            "put /a=1",
            "put /b=2",
            "CancelWait[]",
            "Ping[nonce=67305985]",
            "push /q=v",
            "QueuePop[key=/q]",
            "QueueLength[key=/q]",
            "ListKeys[]",
            "Barrier[key=/b, participants=3]",
            "hello 32 x 1",
            "prove 32 x 2");
    for (int step = 1; step < 100; step++) assertThat(parse(bytes, step)).isEqualTo(whole);
  }

  @Test
  void nothingIsHeldBetweenRequests() {
    RequestParser parser = new RequestParser();
    ByteBuffer in = ByteBuffer.wrap(HexFormat.of().parseHex(EVERY_REQUEST));
    while (parser.next(in, _ -> true) != null) {
      if (!parser.midway()) assertThat(parser.bufferedBytes()).isZero();
    }
    assertThat(parser.midway()).isFalse();
  }

  @Test
  void manyEmptyMultiRequestsTakeNoStack() {
    byte[] bytes = HexFormat.of().parseHex(("0a" + int64(0)).repeat(100_000) + "07");
    assertThat(parse(bytes, bytes.length)).containsExactly("CountKeys[]");
  }
}
