/**
 * JMH benchmarks of what every operation costs before a backend moves a byte, and of the stores.
 */
module dev.jcomms.benchmarks {
  requires dev.jcomms;
  requires jmh.core;
}
