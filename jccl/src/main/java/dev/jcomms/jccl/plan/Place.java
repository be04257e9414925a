package dev.jcomms.jccl.plan;

/**
 * Where in a {@link Plan}: a rank, a thread block of it, an op of that, an op inside a pipeline; or
 * only the first few of these, {@code -1} for the rest.
 */
public record Place(int rank, int block, int op, int inner) {
  /** The plan as a whole. */
  public static final Place PLAN = new Place(-1, -1, -1, -1);

  public static Place rank(int rank) {
    return new Place(rank, -1, -1, -1);
  }

  public static Place block(int rank, int block) {
    return new Place(rank, block, -1, -1);
  }

  public static Place op(int rank, int block, int op) {
    return new Place(rank, block, op, -1);
  }

  /** An op inside the pipeline that is here. */
  public Place inside(int inner) {
    return new Place(rank, block, op, inner);
  }

  /** As {@code rank 1 block 0 op 3.2}. */
  @Override
  public String toString() {
    if (rank < 0) {
      return "plan";
    }
    return "rank "
        + rank
        + (block < 0 ? "" : " block " + block)
        + (op < 0 ? "" : " op " + op)
        + (inner < 0 ? "" : "." + inner);
  }
}
