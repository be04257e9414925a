package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.OpOptions;
import java.util.List;

/**
 * Which algorithm a size gets on a host: what all ranks know, nothing else, decides.
 *
 * <p>A flat operation is one meeting; the others are at least two. The limit is where reading
 * everybody's whole buffer begins to cost more than a second meeting.
 */
enum HostSelector {
  /** One meeting, everything through the notes or stages at once. */
  FLAT,
  /** Chunk by chunk through the stages. */
  STAGED,
  /** Straight out of and into the tensors, where they can be reached; else staged. */
  DIRECT;

  private static final long FLAT_BYTES = Long.getLong("jcomms.flat", 16 << 10);
  private static final List<String> NAMES = List.of("flat", "staged", "direct");

  String label() {
    return NAMES.get(ordinal());
  }

  /**
   * @param bytes of one rank's contribution, or of the largest piece; negative if not known to all
   * @param reachable whether direct operations are possible at all
   * @throws IllegalArgumentException for a forced algorithm that there is not
   */
  static HostSelector select(OpOptions options, long bytes, long stageBytes, boolean reachable) {
    String forced = options.hints().isEmpty() ? null : options.hints().get("algorithm");
    if (forced != null) {
      return forced(forced, bytes, stageBytes);
    }
    if (bytes >= 0 && bytes <= FLAT_BYTES) {
      return FLAT;
    }
    return reachable ? DIRECT : STAGED;
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
