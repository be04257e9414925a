package dev.jcomms.internal.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.jcomms.internal.store.RefusedException;
import java.util.List;

/**
 * Any bytes are requests or are refused, and where they are cut makes no difference. Ordinary runs
 * replay the inputs beside this test's resources; {@code JAZZER_FUZZ=1} looks for new ones.
 */
final class RequestParserFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void anyBytes(byte[] bytes) {
    if (bytes.length == 0) return;
    List<String> whole = parse(bytes, bytes.length);
    assertThat(parse(bytes, 1)).isEqualTo(whole);
    assertThat(parse(bytes, 7)).isEqualTo(whole);
  }

  private static List<String> parse(byte[] bytes, int step) {
    try {
      return RequestParserTest.parse(bytes, step);
    } catch (RefusedException e) {
      return List.of("refused", e.getMessage());
    }
  }
}
