package dev.jcomms.jccl.internal.dsl;

import static dev.jcomms.jccl.plan.Op.Form.DATA;
import static dev.jcomms.jccl.plan.Op.Form.PACKETS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.Chunk;
import org.junit.jupiter.api.Test;

class ScratchUseTest {
  private final ScratchUse use = new ScratchUse();

  @Test
  void dataMayBeWrittenAgain() {
    assertTrue(use.note(0, 2, DATA, true).isEmpty());
    assertTrue(use.note(1, 2, DATA, true).isEmpty());
  }

  @Test
  void packetsMayBeReadAgainButNotWrittenAgain() {
    assertTrue(use.note(0, 1, PACKETS, false).isEmpty());
    assertTrue(use.note(0, 2, PACKETS, true).isEmpty());
    assertTrue(use.note(0, 1, PACKETS, false).isEmpty());
    assertTrue(use.note(1, 1, PACKETS, true).isPresent());
  }

  @Test
  void readsAreCountedByChunk() {
    use.note(0, 2, DATA, true);
    use.note(0, 2, DATA, false);
    use.note(1, 1, DATA, false);
    assertTrue(use.isReadOnce(new Chunk.Local(BufferType.SCRATCH, 0, 1)));
    assertFalse(use.isReadOnce(new Chunk.Local(BufferType.SCRATCH, 0, 2)));
    assertFalse(use.isReadOnce(new Chunk.Local(BufferType.SCRATCH, 2, 1)));
  }

  @Test
  void aChunkHoldsOneOfBoth() {
    assertTrue(use.note(0, 1, PACKETS, false).isEmpty());
    assertTrue(use.note(0, 1, DATA, false).isPresent());
    assertTrue(use.note(1, 1, DATA, true).isEmpty());
    assertTrue(use.note(1, 1, PACKETS, true).isPresent());
  }
}
