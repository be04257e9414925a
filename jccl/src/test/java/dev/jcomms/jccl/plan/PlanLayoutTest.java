package dev.jcomms.jccl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.jccl.plan.PlanLayout.Range;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of chunks, slices, packets and units, by hand and as properties. */
final class PlanLayoutTest {
  private static Plan plan(String collective, int input, int output, int scratch) {
    RankPlan rank =
        new RankPlan(0, input, output, scratch, List.of(), List.of(), List.of(), List.of());
    return new Plan(
        "p",
        collective,
        Protocol.LL,
        true,
        false,
        1024,
        true,
        16,
        64,
        1L << 40,
        List.of(rank),
        Extras.NONE);
  }

  @Test
  void chunksTileTheBuffer() {
    PlanLayout layout = PlanLayout.of(plan("allreduce", 4, 4, 6), 0, 1024, 1024);
    assertThat(layout.chunkBytes()).isEqualTo(256);
    long end = 0;
    for (int i = 0; i < 4; i++) {
      Range range = layout.range(new Chunk.Local(BufferType.INPUT, i, 1), Group.NONE);
      assertThat(range.offset()).isEqualTo(end);
      end = range.end();
    }
    assertThat(end).isEqualTo(layout.bytes(BufferType.INPUT));
    assertThat(layout.range(new Chunk.Remote(0, 1, 2), Group.NONE)).isEqualTo(new Range(256, 512));
  }

  @Test
  void packetsTakeTwiceTheBytesAndScratchHasRoomForAll() {
    PlanLayout layout = PlanLayout.of(plan("allreduce", 4, 4, 6), 0, 1024, 1024);
    // 6 chunks of 256 bytes, as packets, in two halves.
    assertThat(layout.scratchBytes()).isEqualTo(6 * 256 * 2 * 2);
    assertThat(layout.scratchOffset(1)).isZero();
    assertThat(layout.scratchOffset(2)).isEqualTo(6 * 256 * 2);
    Op.Access last = new Op.Access(new Chunk.Local(BufferType.SCRATCH, 5, 1), Op.Form.PACKETS);
    assertThat(layout.range(last, Group.NONE)).isEqualTo(new Range(5 * 512, 512));
    // A slice of 256 bytes in three: 96, 80 and 80, each doubled.
    assertThat(layout.range(last, new Group(0, 3))).isEqualTo(new Range(5 * 512, 192));
    assertThat(layout.range(last, new Group(1, 3))).isEqualTo(new Range(5 * 512 + 192, 160));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16, 17, 100})
  void slicesTileTheChunk(int blocks) {
    PlanLayout layout = PlanLayout.of(plan("allreduce", 4, 4, 0), 0, 1024, 1024);
    Chunk chunk = new Chunk.Local(BufferType.OUTPUT, 2, 2);
    Range whole = layout.range(chunk, Group.NONE);
    long end = whole.offset();
    for (int member = 0; member < blocks; member++) {
      Range slice = layout.range(chunk, new Group(member, blocks));
      assertThat(slice.offset()).isEqualTo(end);
      assertThat(slice.offset() % 16).isZero();
      end = slice.end();
    }
    assertThat(end).isEqualTo(whole.end());
  }

  @ParameterizedTest
  @CsvSource({"64, 4", "100, 3", "256, 1", "1000, 1", "9223372036854775807, 1"})
  void unitsTileTheChunk(long unitBytes, int units) {
    PlanLayout layout = PlanLayout.of(plan("allreduce", 4, 4, 0), 0, 1024, 1024);
    Op.Pipeline pipeline = new Op.Pipeline(unitBytes, 1, List.of());
    assertThat(layout.units(pipeline)).isEqualTo(units);
    Range whole = layout.range(new Chunk.Local(BufferType.INPUT, 1, 1), Group.NONE);
    long end = whole.offset();
    for (int i = 0; i < units; i++) {
      Range unit = PlanLayout.unit(whole, pipeline, i);
      assertThat(unit.offset()).isEqualTo(end);
      assertThat(unit.isEmpty()).isFalse();
      end = unit.end();
    }
    assertThat(end).isEqualTo(whole.end());
    assertThat(PlanLayout.unit(whole, pipeline, units)).isEqualTo(new Range(whole.end(), 0));
    assertThat(PlanLayout.unit(whole, pipeline, Long.MAX_VALUE).isEmpty()).isTrue();
  }

  @Test
  void aMessageOfAllGatherIsItsOutput() {
    PlanLayout layout = PlanLayout.forMessage(plan("allgather", 1, 4, 0), 0, 4096);
    assertThat(layout.inputBytes()).isEqualTo(1024);
    assertThat(layout.outputBytes()).isEqualTo(4096);
    assertThat(PlanLayout.forMessage(plan("reducescatter", 4, 1, 0), 0, 4096).outputBytes())
        .isEqualTo(1024);
    assertThat(PlanLayout.forMessage(plan("test", 0, 2, 0), 0, 64).chunkBytes()).isEqualTo(32);
    assertThat(PlanLayout.forMessage(plan("test", 2, 0, 0), 0, 64).outputBytes()).isZero();
  }

  @Test
  void moreThanFourGibibytesAreNoTrouble() {
    long bytes = 1L << 39;
    PlanLayout layout = PlanLayout.of(plan("allreduce", 8, 8, 8), 0, bytes, bytes);
    assertThat(layout.range(new Chunk.Local(BufferType.INPUT, 7, 1), Group.NONE))
        .isEqualTo(new Range(7L << 36, 1L << 36));
    assertThat(layout.scratchBytes()).isEqualTo(bytes * 4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1000 | 1000 | plan 'p': input of 1000 bytes does not divide into 4 chunks of whole multiples of 16 bytes
          1040 | 1040 | plan 'p': input of 1040 bytes does not divide into 4 chunks of whole multiples of 16 bytes
          1024 | 2048 | plan 'p': input chunks have 256 bytes (1024 in 4), output chunks 512 (2048 in 4); they must be equal
          0 | 0 | plan 'p': a message of 0 bytes is outside its range 64 to 1099511627776
          2199023255552 | 2199023255552 | plan 'p': a message of 2199023255552 bytes is outside its range 64 to 1099511627776
          -64 | -64 | plan 'p': input of -64 bytes
          """)
  void sizesThatDoNotFitAreRefused(long input, long output, String message) {
    Plan plan = plan("allreduce", 4, 4, 0);
    assertThatThrownBy(() -> PlanLayout.of(plan, 0, input, output))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void whatOverflowsIsRefused() {
    Plan plan = plan("allreduce", 1, 1, Integer.MAX_VALUE);
    assertThatThrownBy(() -> PlanLayout.of(plan, 0, 1L << 39, 1L << 39))
        .hasMessageContaining("more than 64 bits hold");
  }
}
