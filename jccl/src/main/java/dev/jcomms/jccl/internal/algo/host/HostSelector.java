package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.OpOptions;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningRule.Measure;
import dev.jcomms.jccl.TuningRule.Row;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.internal.algo.UnsuitableException;
import java.util.List;
import java.util.function.Supplier;

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

  /** What is asked about. The limits are those of the table that jccl is shipped with. */
  enum Kind {
    /** Bytes of one rank's buffer; done at once, each rank reads those of all. */
    REDUCE("all_reduce", "reduce"),
    /** Bytes of one rank's result. */
    REDUCE_SCATTER("reduce_scatter"),
    /** Bytes of the largest piece; every rank gives one to all. */
    GATHER("all_gather", "gather"),
    /** Bytes of the largest piece; each is for one rank, so that no stage is read twice. */
    EXCHANGE("all_to_all"),
    /** Bytes of the largest piece; one rank gives, so it does not share the work by staging. */
    FROM_ROOT("broadcast", "scatter");

    private final long flatBytes;
    private final boolean flatTogether;
    private final long seenBytes;
    private final long pulledBytes;

    /** Of these collectives, which are all done alike. */
    Kind(String... collectives) {
      HostLimits limits = limits(collectives, System.getProperty("os.arch"));
      this.flatBytes = limits.flatBytes();
      this.flatTogether = limits.flatTogether();
      this.seenBytes = limits.seenBytes();
      this.pulledBytes = limits.pulledBytes();
    }

    private static HostLimits limits(String[] collectives, String arch) {
      HostLimits limits = null;
      for (String collective : collectives) {
        for (Transport transport : new Transport[] {Transport.LOCAL, Transport.SHM}) {
          HostLimits same =
              HostLimits.of(
                  TuningTable.defaults(), transport, collective, measure(collective), arch);
          if (limits != null && !limits.isSame(same)) {
            throw new IllegalStateException(
                "%s over %s: %s, but %s: %s"
                    .formatted(collective, transport, same, collectives[0], limits));
          }
          limits = same;
        }
      }
      return limits;
    }

    private static Measure measure(String collective) {
      return switch (collective) {
        case "all_reduce", "reduce", "broadcast" -> Measure.BUFFER;
        default -> Measure.SECTION;
      };
    }

    /** Whether so many bytes are done at once. */
    boolean isFlat(long bytes, int ranks) {
      return bytes >= 0 && bytes <= flatBytes && (!flatTogether || bytes * ranks <= flatBytes);
    }

    /** Whether so many bytes are worth having in a way that they can be had, or else staged. */
    boolean isWorth(Reach.Way way, long bytes) {
      return switch (way) {
        case MAPPED -> true;
        case SEEN -> bytes >= seenBytes;
        case READABLE -> bytes >= pulledBytes;
        case NONE -> false;
      };
    }
  }

  private static final List<String> NAMES = List.of("flat", "staged", "direct");

  String label() {
    return NAMES.get(ordinal());
  }

  /** Whether a row names this one. */
  boolean is(Row row) {
    return row.choice().isPlain(label());
  }

  /**
   * Chooses.
   *
   * @param bytes as the kind says; negative if not known to all
   * @param best the best way in which ranks may have each other's memory, if that matters
   * @throws UnsuitableException for a forced algorithm that there is not
   */
  static HostSelector select(
      Kind kind,
      OpOptions options,
      long bytes,
      int ranks,
      long stageBytes,
      Supplier<Reach.Way> best) {
    String forced = options.hints().isEmpty() ? null : options.hints().get("algorithm");
    if (forced != null) {
      return forced(forced, bytes, stageBytes);
    }
    if (kind.isFlat(bytes, ranks)) {
      return FLAT;
    }
    return kind.isWorth(best.get(), bytes) ? DIRECT : STAGED;
  }

  private static HostSelector forced(String name, long bytes, long stageBytes) {
    int index = NAMES.indexOf(name);
    if (index < 0) {
      throw new UnsuitableException(
          "hint algorithm=" + name + " is not one of " + NAMES + ", which one host has");
    }
    HostSelector forced = values()[index];
    if (forced == FLAT && bytes > stageBytes) {
      throw new UnsuitableException(
          "hint algorithm=flat: bytes=%d do not fit a stage of bytes=%d"
              .formatted(bytes, stageBytes));
    }
    return forced;
  }
}
