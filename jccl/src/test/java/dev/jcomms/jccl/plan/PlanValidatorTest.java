package dev.jcomms.jccl.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.plan.Finding.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan that cannot run is found out before it runs, with the place. */
final class PlanValidatorTest {
  @Test
  void theReliancesOnDefectsAreWarnings() {
    assertThat(Plan.read(TestPlans.everyOp()).validate())
        .allMatch(finding -> finding.severity() == Severity.WARNING)
        .extracting(Finding::toString)
        .contains(
            "warning: rank 0 block 0 op 8: flush waits here; MSCCL++ 0.9 passes over it",
            "warning: rank 0 block 0 op 23: reduces by max; MSCCL++ 0.9 sums",
            "warning: rank 0 block 0 op 31: glre runs here; MSCCL++ 0.9 refuses it");
  }

  /** Each case changes the first match of a pattern in the plan that has every op. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "id": 0 | "id": 1 | error: rank 0: id=1, but it is rank 0 by position
          "threadblocks": \\[\\s+\\{\\s+"id": 0 | "threadblocks": [{"id": 3 | error: rank 0 block 0: id=3, but it is block 0 by position
          "buffer_alignment": 16 | "buffer_alignment": 0 | error: plan: buffer_alignment=0
          "max_message_size": \\d+ | "max_message_size": 1 | error: plan: min_message_size=32 is more than max_message_size=1
          "connected_to": \\[\\s+1 | "connected_to": [2 | error: rank 0: memory channel to rank 2; there are 2 ranks
          "connected_to": \\[\\s+1 | "connected_to": [0 | error: rank 0: memory channel to itself
          "semaphore_ids": \\[\\s+0 | "semaphore_ids": [1 | error: rank 0 block 1 op 1.0: semaphore 1; the rank has 1
          "semaphore_ids": \\[\\s+0 | "semaphore_ids": [0, 0 | warning: rank 0: semaphore 0 is acquired 2 times and released 1 times: its value drifts
          "num_threadblocks": 2 | "num_threadblocks": 3 | error: rank 0 block 0 op 1: barrier 0 of 3 blocks; there are 2
          "num_threadblocks": 2 | "num_threadblocks": 1 | error: rank 0: barrier 0 is for 1 or 2 blocks and used by blocks [0, 1]
          "name": "nop" | "name": "barrier", "barrier_id": 0, "num_threadblocks": 2 | error: rank 0: blocks [0, 1] use barrier 0 unequally often
          "name": "nop" | "name": "signal", "channel_type": "memory", "channel_ids": [1] | error: rank 0: 4 signals to rank 1 by memory channels, which waits for 3
          "name": "nop" | "name": "wait", "channel_type": "port", "channel_ids": [0] | error: rank 1: 3 signals to rank 0 by port channels, which waits for 4
          "name": "nop" | "name": "wait", "channel_type": "port", "channel_ids": [] | error: rank 0 block 0 op 0: no channels
          "channel_ids": \\[\\s+0 | "channel_ids": [2 | error: rank 0 block 0 op 2: memory channel 2 is not in the block's channels
          "type": "i",\\s+"index": 0 | "type": "i", "index": 2 | error: rank 0 block 0 op 9: chunks 2 to 3 of own input, which has 2
          "type": "i",\\s+"index": 0 | "type": "i", "index": 2147483647 | error: rank 0 block 0 op 9: chunks 2147483647 to 2147483648 of own input, which has 2
          "type": "i",\\s+"index": 0,\\s+"size": 1 | "type": "i", "index": 0, "size": 0 | error: rank 0 block 0 op 9: empty chunk
          "type": "i",\\s+"index": 0,\\s+"size": 1 | "type": "i", "index": 0, "size": 2 | error: rank 0 block 0 op 9: 1 chunks against 2
          "buffer_id": 0,\\s+"index": 0 | "buffer_id": 0, "index": 5 | error: rank 0 block 0 op 12: chunks 5 to 6 of rank 1's input, which has 2
          "buffer_id": 0 | "buffer_id": 9 | error: rank 0 block 0 op 12: remote buffer 9 is not in the block's buffers for memory channels
          "switch_channel_id": 0,\\s+"index": 0 | "switch_channel_id": 0, "index": 2 | error: rank 0 block 0 op 32: chunks 2 to 3 of rank 0's input, which has 2
          "switch_channel_id": 0 | "switch_channel_id": 2 | error: rank 0 block 0 op 32: switch channel 2 is not in the block's channels
          "type": "s" | "type": "o" | error: rank 0 block 0 op 10: packets in own output; only scratch has room
          "tbg_size": 2 | "tbg_size": 3 | error: rank 0 block 0 op 23: group of 3 blocks; there are 2
          "tb_id": 1 | "tb_id": 0 | error: rank 0 block 0 op 23: a group of 2 blocks writes chunks 0 to 1 of rank 0's output, and nobody is its member 1
          "tb_id": 1 | "tb_id": 0 | error: rank 0 block 0 op 24: a group of 2 blocks writes chunks 0 to 1 of rank 1's input, and nobody is its member 1
          "buffer_type": "i",\\s+"rank_groups" | "buffer_type": "o", "rank_groups" | error: rank 0: 1 switch channels on o of ranks [0, 1]; rank 1 has 0
          "access_channel_types": \\[\\s+"memory", | "access_channel_types": [ | error: rank 0 block 0: remote buffer 0 is not for memory channels
          "remote_buffer_ids": \\[\\s+0 | "remote_buffer_ids": [7 | error: rank 0 block 0: remote buffer 7; the rank has 2
          "protocol": "LL" | "protocol": "Simple" | warning: plan: packets in a Simple plan; MSCCL++ 0.9 makes scratch too small for them
          "num_chunks": 2 | "num_chunks": 1 | warning: rank 0 block 1 op 1.1: the pipeline ends after 1 chunks; the op has more
          """)
  void aChangeIsFound(String pattern, String replacement, String finding) {
    Plan plan = Plan.read(TestPlans.everyOp().replaceFirst(pattern, replacement));
    assertThat(plan.validate()).extracting(Finding::toString).contains(finding);
  }

  @Test
  void manyWarningsHideNoError() {
    StringBuilder keys = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      keys.append("\"key").append(i).append("\": 0, ");
    }
    String text =
        TestPlans.everyOp()
            .replaceFirst("\"gpus\"", keys + "\"gpus\"")
            .replaceFirst("\"buffer_id\": 0", "\"buffer_id\": 9");
    assertThat(Plan.read(text).validate())
        .hasSizeLessThan(2000)
        .anyMatch(finding -> finding.severity() == Severity.ERROR);
  }

  @Test
  void aPlanWithoutRanksIsFound() {
    Plan plan = Plan.read(TestPlans.everyOp());
    assertThat(plan.withRanks(java.util.List.of()).validate())
        .containsExactly(new Finding(Severity.ERROR, Place.PLAN, "no ranks"));
  }
}
