package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What peers send is decoded strictly, or refused. */
class CodecsTest {
  private static Object json(String text) {
    return Codecs.JSON.decode(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void jsonKeepsEveryKindOfValue() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("none", null);
    value.put("yes", true);
    value.put("long", Long.MIN_VALUE);
    value.put("double", -1.5e-300);
    value.put("text", "tab\t quote\" back\\ nul\0 é 漢 😀 \ud800");
    value.put("list", Arrays.asList(1L, "a", null, List.of(), Map.of()));
    assertThat(Codecs.JSON.decode(Codecs.JSON.encode(value))).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "nul",
        "\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "[1] 2",
        "{\"a\":1,\"a\":2}",
        "NaN",
        "-",
        "'a'",
        "{1:2}",
        "1e5x"
      })
  void malformedJsonIsRefusedWithItsPlace(String text) {
    assertThatThrownBy(() -> json(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)JSON: expected .* at position \\d+, found .*");
  }

  @Test
  void deepNestingIsRefusedNotARunawayStack() {
    assertThatThrownBy(() -> json("[".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class);
    Object deep = List.of();
    for (int i = 0; i < 1000; i++) {
      deep = List.of(deep);
    }
    Object tooDeep = deep;
    assertThatThrownBy(() -> Codecs.JSON.encode(tooDeep))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatJsonCannotSayIsRefused() {
    assertThatThrownBy(() -> Codecs.JSON.encode(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Codecs.JSON.encode(new Object()))
        .hasMessageContaining("java.lang.Object");
    assertThatThrownBy(() -> Codecs.JSON.encode(Map.of(1, 2))).hasMessageContaining("not a String");
  }

  @Test
  void randomBytesEitherDecodeOrAreRefused() {
    Random random = new Random(7);
    String alphabet = "{}[]\",:0123456789.eE+-truefalsn\\u \n";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(30); n > 0; n--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        Object value = json(text.toString());
        assertThat(Codecs.JSON.decode(Codecs.JSON.encode(value))).isEqualTo(value);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageStartingWith("JSON");
      }
    }
  }

  @Test
  void textMustBeUtf8() {
    assertThat(Codecs.STRING.decode(Codecs.STRING.encode("漢字"))).isEqualTo("漢字");
    assertThatThrownBy(() -> Codecs.STRING.decode(new byte[] {(byte) 0xff}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyKindHasTheSeedsName() {
    List<String> names = new ArrayList<>();
    Collective.kinds().forEach(kind -> names.add(Collective.nameOf(kind)));
    assertThat(names)
        .containsExactly(
            "all_gather",
            "all_gather_single",
            "all_gather_v",
            "all_reduce",
            "all_to_all",
            "all_to_all_single",
            "all_to_all_v_single",
            "barrier",
            "broadcast",
            "gather",
            "gather_single",
            "monitored_barrier",
            "recv",
            "reduce",
            "reduce_scatter",
            "reduce_scatter_single",
            "reduce_scatter_v",
            "scatter",
            "send",
            "send_recv_batch");
  }
}
