package dev.jcomms.jccl.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much memory the ranks of a host share. */
final class WiringTest {
  @ParameterizedTest
  @CsvSource({
    "2, 524288",
    "8, 524288",
    "16, 262144",
    "64, 65536",
    "512, 65536",
    "819, 65536",
    "820, 131072",
    "4096, 524288"
  })
  void stagesShareSoMuchAndHaveALaneForEveryRank(int ranks, long bytes) {
    assertThat(Wiring.stageBytes(ranks)).isEqualTo(bytes);
    long table = (16L * ranks + 63) / 64 * 64;
    assertThat((bytes - table) / ranks).isGreaterThanOrEqualTo(64);
  }
}
