/**
 * Benchmarks of what every operation costs before a backend moves a byte, of the stores, of the
 * dispatcher, and of training beside PyTorch.
 */
module dev.jcomms.benchmarks {
  requires dev.jcomms;
  requires java.management;
  requires jmh.core;
}
