package dev.jcomms.jccl.internal.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardsTest {
  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void coverTheBufferExactly(int n) {
    long[] sizes = {0, 1, n - 1, n, n + 1, 1000, 65537, Long.MAX_VALUE / 8};
    for (long elements : sizes) {
      for (long alignment : new long[] {1, 4, 16}) {
        Shards shards = new Shards(elements, n, alignment);
        long end = 0;
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < n; i++) {
          assertThat(shards.offset(i)).isEqualTo(end);
          assertThat(shards.length(i)).isBetween(0L, shards.longest());
          if (shards.length(i) > 0) {
            assertThat(shards.offset(i) % alignment).isZero();
          }
          end += shards.length(i);
          shortest = Math.min(shortest, shards.length(i));
        }
        assertThat(end).isEqualTo(elements);
        assertThat(shards.longest() - shortest).isLessThan(2 * alignment);
      }
    }
  }

  @Test
  void refuseNonsense() {
    assertThatThrownBy(() -> new Shards(-1, 2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shards: elements=-1 count=2 alignment=1");
    assertThatThrownBy(() -> Shards.of(8, 2).offset(2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
