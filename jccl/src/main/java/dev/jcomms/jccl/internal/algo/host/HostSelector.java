package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.OpOptions;
import java.util.List;

/**
 * Which algorithm a size gets on a host: what all ranks know, nothing else, decides.
 *
 * <p>The limits are measured (docs/algorithms.md says how): a flat operation is one meeting, and is
 * worth it until reading everybody's whole buffer costs more than a second one; pulling through the
 * kernel beats staging only where system calls and page tables are few beside the bytes.
 */
enum HostSelector {
  /** One meeting, everything through the notes or stages at once. */
  FLAT,
  /** Chunk by chunk through the stages. */
  STAGED,
  /** Straight out of and into the tensors, where they can be had; else staged. */
  DIRECT;

  /** What is asked about. */
  enum Kind {
    /** Bytes of one rank's buffer; done at once, each rank reads those of all. */
    REDUCE(12 << 10, 32 << 10, 4 << 20),
    /** Bytes of one rank's result. */
    REDUCE_SCATTER(4 << 10, 0, 256 << 10),
    /** Bytes of the largest piece; every rank gives one to all. */
    GATHER(16 << 10, 64 << 10, 256 << 10),
    /** Bytes of the largest piece; each is for one rank, so that no stage is read twice. */
    EXCHANGE(4 << 10, 0, 16 << 10),
    /** Bytes of the largest piece; one rank gives, so it does not share the work by staging. */
    FROM_ROOT(16 << 10, 0, Long.MAX_VALUE);

    private final long flatBytes;
    private final long seenBytes;
    private final long pulledBytes;

    /** So many bytes are done at once at most by two ranks, from so many on by the other ways. */
    Kind(long flatBytes, long seenBytes, long pulledBytes) {
      this.flatBytes = flatBytes;
      this.seenBytes = seenBytes;
      this.pulledBytes = pulledBytes;
    }

    /** Whether so many bytes are done at once. */
    boolean isFlat(long bytes, int ranks) {
      return bytes >= 0 && bytes <= (this == REDUCE ? 2 * flatBytes / ranks : flatBytes);
    }

    /** Whether so many bytes are worth having in a way that they can be had, or else staged. */
    boolean isWorth(Reach.Way way, long bytes) {
      return switch (way) {
        case MAPPED -> true;
        case SEEN -> bytes >= seenBytes;
        case READABLE -> PULLING_PAYS && bytes >= pulledBytes;
        case NONE -> false;
      };
    }
  }

  /**
   * Where the kernel's copy between two processes is faster than two through shared memory: on the
   * x86-64 machine that was measured, by 15 %. On the aarch64 one it took 1.7 times as long.
   */
  private static final boolean PULLING_PAYS = !System.getProperty("os.arch").equals("aarch64");

  private static final List<String> NAMES = List.of("flat", "staged", "direct");

  String label() {
    return NAMES.get(ordinal());
  }

  /**
   * Chooses.
   *
   * @param bytes as the kind says; negative if not known to all
   * @param best the best way in which ranks may have each other's memory
   * @throws IllegalArgumentException for a forced algorithm that there is not
   */
  static HostSelector select(
      Kind kind, OpOptions options, long bytes, int ranks, long stageBytes, Reach.Way best) {
    String forced = options.hints().isEmpty() ? null : options.hints().get("algorithm");
    if (forced != null) {
      return forced(forced, bytes, stageBytes);
    }
    if (kind.isFlat(bytes, ranks)) {
      return FLAT;
    }
    return kind.isWorth(best, bytes) ? DIRECT : STAGED;
  }

  private static HostSelector forced(String name, long bytes, long stageBytes) {
    int index = NAMES.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "hint algorithm=" + name + " is not one of " + NAMES + ", which one host has");
    }
    HostSelector forced = values()[index];
    if (forced == FLAT && bytes > stageBytes) {
      throw new IllegalArgumentException(
          "hint algorithm=flat: bytes=%d do not fit a stage of bytes=%d"
              .formatted(bytes, stageBytes));
    }
    return forced;
  }
}
