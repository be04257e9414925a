package dev.jcomms.cli.bench.op;

/**
 * Where a rank stands.
 *
 * @param root the rank that differs from the others, where there is one
 */
public record Place(int rank, int ranks, int root) {

  public boolean isRoot() {
    return rank == root;
  }

  /** The next rank around the ring. */
  public int next() {
    return (rank + 1) % ranks;
  }

  /** The rank before this one around the ring. */
  public int previous() {
    return (rank + ranks - 1) % ranks;
  }
}
