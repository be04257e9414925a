package dev.jcomms.jccl;

import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Request;
import dev.jcomms.jccl.Selector.Transport;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What to take for some collectives on any machine and among any number of ranks: rows with limits,
 * of which the first that applies is followed. jccl's own choice is made of such rules ({@link
 * TuningTable#defaults}); a table of one's own may have some, too. Immutable; any thread.
 *
 * @param transports those that it is for
 * @param collectives those that it is for
 */
public record TuningRule(
    List<Transport> transports, List<String> collectives, List<TuningRule.Row> rows) {

  public TuningRule {
    transports = List.copyOf(transports);
    collectives = List.copyOf(collectives);
    rows = List.copyOf(rows);
    for (String collective : collectives) {
      if (!AlgorithmCollection.collectives().contains(collective)) {
        throw new IllegalArgumentException(
            "no collective '%s'; there are %s"
                .formatted(collective, String.join(", ", AlgorithmCollection.collectives())));
      }
    }
  }

  /** How ranks of one host can have each other's tensors, as docs/algorithms.md has it. */
  public enum Memory {
    /** Does not matter. */
    ANY,
    /** To read and write: ranks are threads, or the tensors are symmetric. */
    MAPPED,
    /** To read. */
    SEEN,
    /** By asking the kernel for a copy. */
    PULLED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What limits count the bytes of. */
  public enum Measure {
    /** The whole buffer, as {@link Algorithm} counts it. */
    BUFFER,
    /** One rank's section of it. */
    SECTION,
    /** The buffers of all ranks together. */
    WORLD;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** So many of them, if the whole buffer has so many bytes. */
    long of(long bytes, int ranks) {
      return switch (this) {
        case BUFFER -> bytes;
        case SECTION -> Math.ceilDiv(bytes, ranks);
        case WORLD -> bytes > Long.MAX_VALUE / ranks ? Long.MAX_VALUE : bytes * ranks;
      };
    }
  }

  /**
   * One algorithm, and for what. An algorithm that cannot serve a request is passed over.
   *
   * @param memory how tensors must be to be had; jccl alone finds that out, in the operation, so in
   *     a table of one's own such a row leaves the choice to jccl
   * @param arch the processor's, as Java names it: {@code aarch64}; empty for any. Only beside a
   *     memory: ranks of one host have one processor, those of several need not
   * @param measure what {@code minBytes} and {@code maxBytes} count
   * @param maxBytes {@code Long.MAX_VALUE} for no limit
   * @param maxRanks {@code Integer.MAX_VALUE} for no limit
   */
  public record Row(
      Choice choice,
      Memory memory,
      String arch,
      Measure measure,
      long minBytes,
      long maxBytes,
      int minRanks,
      int maxRanks) {
    public Row {
      Objects.requireNonNull(choice);
      Objects.requireNonNull(memory);
      Objects.requireNonNull(measure);
      if (minBytes < 0 || minBytes > maxBytes) {
        throw new IllegalArgumentException(
            "bytes from %d to %d are none".formatted(minBytes, maxBytes));
      }
      if (minRanks < 1 || minRanks > maxRanks) {
        throw new IllegalArgumentException(
            "ranks from %d to %d are none".formatted(minRanks, maxRanks));
      }
      if (!arch.isEmpty() && memory == Memory.ANY) {
        throw new IllegalArgumentException(
            "arch '%s' without a memory: hosts may differ in it".formatted(arch));
      }
    }

    /** For everything. */
    public static Row of(Choice choice) {
      return new Row(
          choice, Memory.ANY, "", Measure.BUFFER, 0, Long.MAX_VALUE, 1, Integer.MAX_VALUE);
    }

    /** Whether it is for all sizes, numbers of ranks and memories. */
    public boolean isUnlimited() {
      return memory == Memory.ANY && isForAllSizes() && isForAllRanks();
    }

    /** Whether no number of bytes is too few or too many. */
    public boolean isForAllSizes() {
      return minBytes == 0 && maxBytes == Long.MAX_VALUE;
    }

    /** Whether no number of ranks is too few or too many. */
    public boolean isForAllRanks() {
      return minRanks == 1 && maxRanks == Integer.MAX_VALUE;
    }

    /** Whether it is for a request, but for the memory. */
    boolean admits(Request request) {
      long bytes = measure.of(request.bytes(), request.world());
      return bytes >= minBytes
          && bytes <= maxBytes
          && request.world() >= minRanks
          && request.world() <= maxRanks
          && (arch.isEmpty() || arch.equals(System.getProperty("os.arch")))
          && switch (memory) {
            case ANY -> true;
            case MAPPED -> request.transport() == Transport.LOCAL || request.symmetric();
            case SEEN, PULLED -> request.transport() == Transport.SHM;
          };
    }

    /** Whether nothing but the request decides. */
    boolean isDecided(Request request) {
      return memory == Memory.ANY
          || memory == Memory.MAPPED && request.transport() == Transport.LOCAL;
    }
  }

  boolean isFor(Transport transport, String collective) {
    return transports.contains(transport) && collectives.contains(collective);
  }
}
