package dev.jcomms.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SuggestionsTest {
  private static final List<String> NAMES = List.of("run", "exec", "dist", "--log-dir", "-n");

  @Test
  void swappedDroppedAndAddedLettersAreNear() {
    assertThat(Suggestions.near("rnu", NAMES)).containsExactly("run");
    assertThat(Suggestions.near("exc", NAMES)).contains("exec");
    assertThat(Suggestions.near("--logdir", NAMES)).containsExactly("--log-dir");
  }

  @Test
  void otherWordsAreNot() {
    assertThat(Suggestions.near("benchmark", NAMES)).isEmpty();
  }

  @Test
  void distanceCountsASwapAsOne() {
    assertThat(Suggestions.distance("", "abc")).isEqualTo(3);
    assertThat(Suggestions.distance("abc", "acb")).isEqualTo(1);
    assertThat(Suggestions.distance("abc", "abc")).isZero();
  }
}
