package dev.jcomms.cli.bench.measure;

/** Something that can be repeated. Each has its own loop, so that nothing else is in it. */
@FunctionalInterface
interface Batch {
  /** Runs so many iterations; returns how long they took, in nanoseconds. */
  long batch(int iterations);
}
