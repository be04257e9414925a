package dev.jcomms.jccl.plan;

/**
 * The share of one thread block in an op that several blocks of a rank do together, each on its own
 * slice of every chunk; {@link #NONE} for an op that one block does alone.
 *
 * @param member which slice, from 0
 * @param blocks how many slices
 */
public record Group(int member, int blocks) {
  /** No group: the block does the whole op. */
  public static final Group NONE = new Group(0, 0);

  public Group {
    boolean none = member == 0 && blocks == 0;
    if (!none && (member < 0 || member >= blocks)) {
      throw new IllegalArgumentException(
          "tb_id=%d is not a member of a group of tbg_size=%d".formatted(member, blocks));
    }
  }

  public boolean isNone() {
    return blocks == 0;
  }
}
