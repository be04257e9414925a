package dev.jcomms.cli.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PaceTest {
  private static final Pace ADAPTIVE =
      new Pace(Pace.ADAPTIVE, Pace.ADAPTIVE, Duration.ofMillis(1000));

  @Test
  void iterationsFitTheTimeWithinBounds() {
    assertThat(ADAPTIVE.batch(100)).isEqualTo(6000);
    assertThat(ADAPTIVE.batch(0.001)).isEqualTo(Pace.MOST_ITERATIONS);
    assertThat(ADAPTIVE.batch(10_000_000)).isEqualTo(Pace.LEAST_ITERATIONS);
  }

  @Test
  void aFastOperationIsSampledInGroupsThatHideTheClock() {
    assertThat(ADAPTIVE.group(0.5)).isEqualTo(10);
    assertThat(ADAPTIVE.group(5)).isEqualTo(1);
    assertThat(ADAPTIVE.group(5000)).isEqualTo(1);
    assertThat(ADAPTIVE.samples(0.5, 10)).isEqualTo(Pace.MOST_SAMPLES);
    assertThat(ADAPTIVE.samples(1000, 1)).isEqualTo(400);
  }

  @Test
  void aNumberThatIsGivenIsKept() {
    Pace fixed = new Pace(3, 20, Duration.ofMillis(1000));
    assertThat(fixed.batch(1e9)).isEqualTo(20);
    assertThat(fixed.samples(1e9, 1)).isEqualTo(20);
    assertThat(fixed.samples(0.1, 50)).isEqualTo(1);
  }
}
