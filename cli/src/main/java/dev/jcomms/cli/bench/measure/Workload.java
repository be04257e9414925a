package dev.jcomms.cli.bench.measure;

/** Something that can be repeated and sampled. */
interface Workload extends Batch {
  /**
   * Runs {@code count} samples of {@code group} iterations and writes how long each took, in
   * nanoseconds. Allocates nothing itself.
   */
  void samples(long[] nanos, int count, int group);
}
