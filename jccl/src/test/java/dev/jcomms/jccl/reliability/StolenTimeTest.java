package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.reliability.StolenTime.Sample;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StolenTimeTest {
  private static final long QUARTER = 250_000_000;

  /** Samples of two cores, of which so many ticks of fifty were stolen in each quarter second. */
  private static List<Sample> samples(int... stolen) {
    List<Sample> samples = new ArrayList<>(List.of(new Sample(0, 0, 0)));
    for (int s : stolen) {
      Sample last = samples.getLast();
      samples.add(new Sample(last.nanos() + QUARTER, last.ran() + 50 - s, last.stolen() + s));
    }
    return samples;
  }

  @Test
  void aLineOfTheKernelIsRead() {
    assertThat(Sample.of(7, "cpu  8920262 1287993 908795 5602023 9297 1 76444 959889 0 0"))
        .isEqualTo(new Sample(7, 8920262 + 1287993 + 908795 + 1 + 76444, 959889));
    assertThat(Sample.of(7, "cpu 1 2 3 4")).isEqualTo(new Sample(7, 6, 0));
  }

  @Test
  void aPauseIsNoStarvation() {
    assertThat(StolenTime.worst(samples(5, 5, 5, 5, 50, 50, 5, 5, 5, 5, 5, 5, 5, 5)))
        .isLessThan(0.4);
  }

  @Test
  void littleIsWantedWhereAllWait() {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      samples.add(new Sample(i * QUARTER, i, 9 * i));
    }
    assertThat(StolenTime.worst(samples)).isZero();
  }

  @Test
  void secondsAreFoundAmongMinutes() {
    int[] stolen = new int[400];
    for (int i = 200; i < 208; i++) {
      stolen[i] = 45;
    }
    assertThat(StolenTime.worst(samples(stolen))).isEqualTo(0.9);
  }

  @Test
  void lessThanAWindowSaysNothing() {
    assertThat(StolenTime.worst(samples(50, 50, 50))).isZero();
    assertThat(StolenTime.worst(List.of())).isZero();
  }

  /** Who samples is starved, too. */
  @Test
  void aGapIsAWindow() {
    List<Sample> samples = samples(5, 5, 5);
    Sample last = samples.getLast();
    samples.add(new Sample(last.nanos() + 20 * QUARTER, last.ran() + 100, last.stolen() + 900));
    assertThat(StolenTime.worst(samples)).isGreaterThan(0.85);
  }
}
