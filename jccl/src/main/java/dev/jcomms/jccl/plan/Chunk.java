package dev.jcomms.jccl.plan;

/**
 * A run of chunks that an op reads or writes. How many bytes that is depends on the message: see
 * {@link PlanLayout}.
 */
public sealed interface Chunk {
  /** The first chunk, counted from the beginning of the buffer. */
  int index();

  /** How many chunks. */
  int chunks();

  /** Chunks of the rank's own buffer. */
  record Local(BufferType buffer, int index, int chunks) implements Chunk {
    public Local {
      check(index, chunks);
    }
  }

  /**
   * Chunks of a peer's buffer.
   *
   * @param ref the block's own number of the buffer, among those it reaches through the op's type
   *     of channel; see {@link RankPlan#remoteBuffer}
   */
  record Remote(int ref, int index, int chunks) implements Chunk {
    public Remote {
      check(index, chunks);
    }
  }

  /**
   * The same chunks of the buffer of every rank of a group.
   *
   * @param ref the block's own number of the switch channel; see {@link RankPlan#switchChannel}
   */
  record Switch(int ref, int index, int chunks) implements Chunk {
    public Switch {
      check(index, chunks);
    }
  }

  private static void check(int index, int chunks) {
    if (index < 0 || chunks < 0) {
      throw new IllegalArgumentException(
          "a chunk cannot have index=%d and size=%d".formatted(index, chunks));
    }
  }
}
