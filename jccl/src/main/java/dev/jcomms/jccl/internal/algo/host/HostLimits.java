package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningRule.Measure;
import dev.jcomms.jccl.TuningRule.Memory;
import dev.jcomms.jccl.TuningRule.Row;
import dev.jcomms.jccl.TuningTable;
import java.util.List;

/**
 * What a table says of a collective on one host, in the few numbers that decide an operation.
 *
 * @param flatBytes so many are done at once at most; -1 if none
 * @param flatTogether whether those are the bytes of all buffers, or of all sections, together
 * @param seenBytes from so many on tensors are worth having in that way; {@code Long.MAX_VALUE} if
 *     never
 * @param pulledBytes the same for that way
 */
record HostLimits(long flatBytes, boolean flatTogether, long seenBytes, long pulledBytes) {

  /**
   * The limits for a collective.
   *
   * @param measure what is asked about when it is to be done: the whole buffer, or a section
   * @param arch of the processor
   * @throws IllegalStateException if the rows say what no host engine can do
   */
  static HostLimits of(
      TuningTable table, Transport transport, String collective, Measure measure, String arch) {
    List<Row> rows = table.rows(transport, collective);
    boolean flat = !rows.isEmpty() && HostSelector.FLAT.is(rows.getFirst());
    long flatBytes = -1;
    boolean together = false;
    if (flat) {
      Row row = rows.getFirst();
      flatBytes = row.maxBytes();
      together = row.measure() == (measure == Measure.SECTION ? Measure.BUFFER : Measure.WORLD);
      require(together || row.measure() == measure, collective, row);
      require(
          row.memory() == Memory.ANY && row.minBytes() == 0 && row.isForAllRanks(),
          collective,
          row);
      rows = rows.subList(1, rows.size());
    }
    require(directFrom(rows, Memory.MAPPED, collective, measure, arch) == 0, collective, rows);
    return new HostLimits(
        flatBytes,
        together,
        directFrom(rows, Memory.SEEN, collective, measure, arch),
        directFrom(rows, Memory.PULLED, collective, measure, arch));
  }

  /** As {@code equals}, which takes its time when it is called first, in every program. */
  boolean isSame(HostLimits other) {
    return flatBytes == other.flatBytes
        && flatTogether == other.flatTogether
        && seenBytes == other.seenBytes
        && pulledBytes == other.pulledBytes;
  }

  /** From how many bytes on the rows take tensors directly that can be had in a way. */
  private static long directFrom(
      List<Row> rows, Memory memory, String collective, Measure measure, String arch) {
    for (Row row : rows) {
      boolean isFor = row.memory() == memory || row.memory() == Memory.ANY;
      if (isFor && (row.arch().isEmpty() || row.arch().equals(arch))) {
        require(row.maxBytes() == Long.MAX_VALUE && row.isForAllRanks(), collective, row);
        if (HostSelector.STAGED.is(row)) {
          require(row.minBytes() == 0, collective, row);
          return Long.MAX_VALUE;
        }
        require(HostSelector.DIRECT.is(row), collective, row);
        require(row.minBytes() == 0 || row.measure() == measure, collective, row);
        return row.minBytes();
      }
    }
    throw new IllegalStateException(collective + " has no row for memory that is " + memory);
  }

  private static void require(boolean holds, String collective, Object what) {
    if (!holds) {
      throw new IllegalStateException("no host does " + collective + " by " + what);
    }
  }
}
