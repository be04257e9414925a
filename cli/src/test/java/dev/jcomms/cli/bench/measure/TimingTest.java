package dev.jcomms.cli.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class TimingTest {
  @Test
  void percentilesAreTheNearestRank() {
    long[] hundred = LongStream.rangeClosed(1, 100).toArray();
    assertThat(Timing.percentile(hundred, 50)).isEqualTo(50);
    assertThat(Timing.percentile(hundred, 99)).isEqualTo(99);
    assertThat(Timing.percentile(new long[] {7}, 99)).isEqualTo(7);
    assertThat(Timing.percentile(new long[] {1, 2, 3}, 50)).isEqualTo(2);
  }

  @Test
  void samplesOfSeveralIterationsAreDivided() {
    long[] nanos = {40_000, 20_000, 30_000, -1};
    Timing timing = Timing.of(2.5, nanos, 3, 10);
    assertThat(timing).isEqualTo(new Timing(2.5, 2.0, 3.0, 4.0));
  }

  @Test
  void theMedianIsTakenPartByPart() {
    Timing median =
        Timing.median(
            List.of(new Timing(3, 1, 2, 30), new Timing(1, 3, 9, 10), new Timing(2, 2, 4, 20)));
    assertThat(median).isEqualTo(new Timing(2, 2, 4, 20));
    assertThat(Timing.median(List.of(1, 2, 3, 10), number -> number)).isEqualTo(2.5);
  }

  @Test
  void itSurvivesTheWayThroughJson() {
    Timing timing = new Timing(1.5, 0.25, 1, 99);
    assertThat(Timing.of(timing.toMap())).isEqualTo(timing);
  }
}
