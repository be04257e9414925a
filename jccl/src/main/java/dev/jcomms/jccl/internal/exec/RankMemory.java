package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import java.util.Collections;

/**
 * How one rank's part of a plan's memory is divided: the same numbers to every rank. Immutable.
 *
 * <pre>
 *   finished          the last launch that the rank is through with, and whether it has failed
 *   note, note        of odd and even launches: the launch, then where input and output are
 *   news of ranks     what ranks on other hosts say of themselves: entered, finished
 *   counts            what was signalled to the rank: one for each channel that leads to it
 *   scratch           both halves, for the largest message
 *   packets           the same for packets, if there are data in scratch
 *   stage             input and output, where peers cannot reach the user's own
 * </pre>
 *
 * <p>Numbers have lines of their own, only grow, and are never reset. Packets are where data never
 * were: chunks of another size begin elsewhere, and data of an earlier launch might look like
 * packets of this one.
 */
final class RankMemory {
  private static final long LINE = 128;
  private static final long PAGE = 4096;

  /** Beside finished. */
  private static final long LEFT = 8;

  /** In a note. */
  static final long INPUT = 8;

  static final long OUTPUT = 16;

  /** In the news of a rank. */
  static final long ENTERED = 0;

  static final long FINISHED = 8;

  private final long[][] counts = new long[2][];
  private final int ranks;
  private final long scratch;
  private final long packets;
  private final long stage;
  private final long stageBytes;
  private final PlanLayout largest;

  /**
   * @param largest the layout of the largest message
   * @param data whether there are data in scratch
   * @param staged whether input and output may have to be staged
   */
  RankMemory(Plan plan, int rank, PlanLayout largest, boolean data, boolean staged) {
    this.largest = largest;
    this.ranks = plan.ranks().size();
    long at = LINE * (3 + ranks);
    for (int t = 0; t < counts.length; t++) {
      counts[t] = new long[ranks];
      for (int sender = 0; sender < ranks; sender++) {
        counts[t][sender] = at;
        at += LINE * lines(plan, t == 0 ? ChannelType.MEMORY : ChannelType.PORT, sender, rank);
      }
    }
    this.scratch = pages(at);
    this.packets =
        data && PlanLayout.hasPackets(plan) ? pages(scratch + largest.scratchBytes()) : scratch;
    this.stage = pages(packets + largest.scratchBytes());
    this.stageBytes =
        !staged
            ? 0
            : plan.inPlace()
                ? Math.max(largest.inputBytes(), largest.outputBytes())
                : pages(largest.inputBytes()) + largest.outputBytes();
  }

  /** Channels between two ranks: as many as the one that has more of them to the other lists. */
  private static int lines(Plan plan, ChannelType type, int one, int other) {
    int there = Collections.frequency(plan.ranks().get(one).peers(type), other);
    int back = Collections.frequency(plan.ranks().get(other).peers(type), one);
    return Math.max(there, back);
  }

  static long pages(long bytes) {
    return Math.ceilDiv(bytes, PAGE) * PAGE;
  }

  long finished() {
    return 0;
  }

  long left() {
    return finished() + LEFT;
  }

  long note(long launch) {
    return LINE * (1 + (launch & 1));
  }

  long news(int of) {
    return LINE * (3 + of);
  }

  /** What came through the k-th channel of a type from a rank. */
  long count(ChannelType type, int sender, int k) {
    return counts[type == ChannelType.MEMORY ? 0 : 1][sender] + LINE * k;
  }

  /**
   * Where the scratch of a launch begins: halves are those of the largest message for all sizes.
   */
  long scratch(int flag) {
    return scratch + largest.scratchOffset(flag);
  }

  /** Where the packets of a launch begin, likewise. */
  long packets(int flag) {
    return packets + largest.scratchOffset(flag);
  }

  long stage() {
    return stage;
  }

  /** Where the output's own stage begins, if it does not lie in the input's. */
  long outputStage() {
    return stage + pages(largest.inputBytes());
  }

  /** Room of the stage. */
  long stageBytes() {
    return stageBytes;
  }

  /** Bytes of everything. */
  long bytes() {
    return pages(stage + stageBytes);
  }

  long most(BufferType buffer) {
    return largest.bytes(buffer);
  }
}
