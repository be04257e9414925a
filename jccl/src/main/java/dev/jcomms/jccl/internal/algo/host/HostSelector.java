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
    /** Bytes of one rank's buffer. */
    REDUCE(4 << 20),
    /** Bytes of one rank's result. */
    REDUCE_SCATTER(256 << 10),
    /** Bytes of the largest piece; every rank gives one to all. */
    GATHER(256 << 10),
    /** Bytes of the largest piece; each is for one rank, so that no stage is read twice. */
    EXCHANGE(0),
    /** Bytes of the largest piece; one rank gives, so it does not share the work by staging. */
    FROM_ROOT(Long.MAX_VALUE);

    private final long pullBytes;

    Kind(long pullBytes) {
      this.pullBytes = pullBytes;
    }

    /** Whether it is worth pulling what is readable but not mapped. */
    boolean pulls(long bytes) {
      return PULLING_PAYS && bytes >= pullBytes;
    }
  }

  /**
   * Where the kernel's copy between two processes is faster than two through shared memory: on the
   * x86-64 machine that was measured, by 15 %. On the aarch64 one it took 1.7 times as long.
   */
  private static final boolean PULLING_PAYS = !System.getProperty("os.arch").equals("aarch64");

  private static final long FLAT_BYTES = 16 << 10;
  private static final List<String> NAMES = List.of("flat", "staged", "direct");

  String label() {
    return NAMES.get(ordinal());
  }

  /**
   * Chooses.
   *
   * @param bytes as the kind says; negative if not known to all
   * @param mapped whether ranks may have memory that all have mapped
   * @param readable whether ranks may read each other's memory through the kernel
   * @throws IllegalArgumentException for a forced algorithm that there is not
   */
  static HostSelector select(
      Kind kind, OpOptions options, long bytes, long stageBytes, boolean mapped, boolean readable) {
    String forced = options.hints().isEmpty() ? null : options.hints().get("algorithm");
    if (forced != null) {
      return forced(forced, bytes, stageBytes);
    }
    if (bytes >= 0 && bytes <= FLAT_BYTES) {
      return FLAT;
    }
    return mapped || readable && kind.pulls(bytes) ? DIRECT : STAGED;
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
