package dev.jcomms.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.cli.CliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SizesTest {
  @Test
  void lettersArePowersOf1024() {
    assertThat(Sizes.parse("-b", "8")).isEqualTo(8);
    assertThat(Sizes.parse("-b", "4K")).isEqualTo(4096);
    assertThat(Sizes.parse("-b", "64m")).isEqualTo(64L << 20);
    assertThat(Sizes.parse("-b", "2GiB")).isEqualTo(2L << 30);
    assertThat(Sizes.parse("-b", "1MB")).isEqualTo(1L << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-8", "K", "1.5M", "8 ", "eight", "0K", "8KK", "99999999999999"})
  void whatIsNoSizeIsRefusedByName(String text) {
    assertThatThrownBy(() -> Sizes.parse("-b", text))
        .isInstanceOf(CliException.class)
        .hasMessageStartingWith("-b " + text + " is not a size");
  }

  @Test
  void aSizeBeyondReckoningIsRefused() {
    assertThatThrownBy(() -> Sizes.parse("-e", "9999999G")).hasMessageContaining("more than any");
  }

  @Test
  void aFactorEndsAtOrBelowTheLargest() {
    assertThat(Sizes.byFactor(8, 64, 2)).containsExactly(8L, 16L, 32L, 64L);
    assertThat(Sizes.byFactor(8, 100, 4)).containsExactly(8L, 32L);
    assertThat(Sizes.byFactor(8, 8, 2)).containsExactly(8L);
    assertThat(Sizes.byFactor(1L << 42, 1L << 42, Integer.MAX_VALUE)).containsExactly(1L << 42);
  }

  @Test
  void aStepEndsAtOrBelowTheLargest() {
    assertThat(Sizes.byStep(8, 32, 8)).containsExactly(8L, 16L, 24L, 32L);
    assertThat(Sizes.byStep(8, 30, 8)).containsExactly(8L, 16L, 24L);
  }

  @Test
  void sizesThatMakeNoSenseAreWrongUsage() {
    assertThatThrownBy(() -> Sizes.byFactor(16, 8, 2)).hasMessageContaining("-b 16 is above -e 8");
    assertThatThrownBy(() -> Sizes.byFactor(8, 16, 1)).hasMessageContaining("-f 1");
    assertThatThrownBy(() -> Sizes.byStep(8, 1L << 30, 8)).hasMessageContaining("-i 8 makes more");
  }
}
