package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.cli.CliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamsTest {
  @Test
  void oneNumberIsForAllRanks() {
    assertThat(Streams.parse("-r", "1").stdout(5)).isTrue();
    assertThat(Streams.parse("-r", "1").stderr(5)).isFalse();
    assertThat(Streams.parse("-r", "3").stderr(0)).isTrue();
    assertThat(Streams.parse("-r", "0").none()).isTrue();
  }

  @Test
  void aListIsForTheRanksItNames() {
    Streams streams = Streams.parse("-r", "0:1,2:2");
    assertThat(streams.stdout(0)).isTrue();
    assertThat(streams.stderr(0)).isFalse();
    assertThat(streams.stdout(1)).isFalse();
    assertThat(streams.stderr(2)).isTrue();
    assertThat(streams.none()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4", "0:4", "a", "0:1,", "-1", "0:1:2"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> Streams.parse("--tee", text))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("--tee=" + text);
  }
}
