package dev.jcomms.jccl.internal.dsl;

import static dev.jcomms.jccl.plan.ChannelType.MEMORY;
import static dev.jcomms.jccl.plan.ChannelType.PORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PairingTest {
  private final Pairing byRank = new Pairing(false);
  private final Pairing byChannel = new Pairing(true);

  @Test
  void asManyWaitsAsSignalsAreAPair() {
    byChannel.signal(MEMORY, 0, 1, 0, "");
    byChannel.await(MEMORY, 1, 0, 0, "");
    assertTrue(byChannel.mismatch().isEmpty());
  }

  @Test
  void aSignalThatNobodyAwaitsIsFound() {
    byChannel.signal(MEMORY, 0, 1, 0, "");
    byChannel.signal(MEMORY, 0, 1, 0, "");
    byChannel.await(MEMORY, 1, 0, 0, "");
    assertEquals(
        "memory channel 0 from rank 0 to rank 1: rank 0 signals 2 times, but rank 1 waits 1 times",
        byChannel.mismatch().orElseThrow().problem());
  }

  @Test
  void aWaitWithoutSignalIsFound() {
    byRank.await(PORT, 1, 0, 0, "");
    assertEquals(
        "port channels from rank 0 to rank 1: rank 0 signals 0 times, but rank 1 waits 1 times",
        byRank.mismatch().orElseThrow().problem());
  }

  @Test
  void channelsAndLoopsCountOnlyWhereAsked() {
    for (Pairing pairing : new Pairing[] {byRank, byChannel}) {
      pairing.signal(MEMORY, 0, 1, 0, "");
      pairing.await(MEMORY, 1, 0, 1, "");
    }
    assertTrue(byRank.mismatch().isEmpty());
    assertTrue(byChannel.mismatch().isPresent());
    Pairing loops = new Pairing(true);
    loops.signal(MEMORY, 0, 1, 0, " in a loop");
    loops.await(MEMORY, 1, 0, 0, "");
    assertTrue(loops.mismatch().isPresent());
  }
}
