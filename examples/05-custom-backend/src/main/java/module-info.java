/** A backend of one's own: all it takes is a provider, declared here. */
module dev.jcomms.examples.zero {
  requires dev.jcomms;

  provides dev.jcomms.spi.BackendProvider with
      dev.jcomms.examples.zero.ZeroProvider;
}
