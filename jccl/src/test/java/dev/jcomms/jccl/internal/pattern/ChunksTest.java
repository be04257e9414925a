package dev.jcomms.jccl.internal.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunksTest {
  @ParameterizedTest
  @CsvSource({"0,1", "0,5", "1,1", "4,5", "5,5", "6,5", "1000,7", "65537,64"})
  void chunksCoverTheBufferWithoutGaps(long elements, long chunk) {
    Chunks chunks = new Chunks(elements, chunk);
    long end = 0;
    for (long i = 0; i < chunks.count(); i++) {
      assertThat(chunks.offset(i)).isEqualTo(end);
      assertThat(chunks.length(i)).isLessThanOrEqualTo(chunk);
      end += chunks.length(i);
    }
    assertThat(end).isEqualTo(elements);
    assertThat(chunks.count()).isPositive();
  }

  @Test
  void beyondTheLastOneTheyAreEmpty() {
    Chunks chunks = new Chunks(10, 4);
    assertThat(chunks.count()).isEqualTo(3);
    assertThat(chunks.length(2)).isEqualTo(2);
    assertThat(chunks.length(3)).isZero();
    assertThat(chunks.offset(7)).isEqualTo(10);
  }

  @Test
  void aChunkHasAnElementHoweverLongThatIs() {
    assertThat(Chunks.ofBytes(10, 8, 4).chunk()).isEqualTo(1);
    assertThat(Chunks.ofBytes(10, 4, 17).chunk()).isEqualTo(4);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new Chunks(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Chunks(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
