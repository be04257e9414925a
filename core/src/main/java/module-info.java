/**
 * Collective communication for tensors: communicators, stores, bootstrap, hooks and the SPI that
 * backends implement.
 */
module dev.jcomms {
  requires transitive dev.jcomms.tensor;
  requires jdk.jfr;

  exports dev.jcomms.store;
}
