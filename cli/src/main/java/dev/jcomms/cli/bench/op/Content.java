package dev.jcomms.cli.bench.op;

/** The elements of a tensor as a function of their position. Any thread may use it. */
@FunctionalInterface
interface Content {
  /** Writes the elements from {@code from} on; {@code count} of them. */
  void read(long from, long[] into, int count);
}
