/**
 * Collective communication for tensors: communicators, stores, bootstrap, hooks and the SPI that
 * backends implement.
 *
 * <p>Start at {@link dev.jcomms.Comm}, or at {@link dev.jcomms.World} for ranks that are threads.
 * Backend authors start at {@link dev.jcomms.spi.BackendProvider}. Everything that is read from the
 * environment is listed in {@link dev.jcomms.Setting}.
 */
module dev.jcomms {
  requires transitive dev.jcomms.tensor;
  requires jdk.jfr;
  requires jdk.net;

  exports dev.jcomms;
  exports dev.jcomms.fake;
  exports dev.jcomms.parallel;
  exports dev.jcomms.spi;
  exports dev.jcomms.store;

  uses dev.jcomms.spi.BackendProvider;

  provides dev.jcomms.spi.BackendProvider with
      dev.jcomms.fake.FakeProvider;
  provides dev.jcomms.tensor.spi.OperatorLibrary with
      dev.jcomms.internal.ops.CollectiveOperators;
}
