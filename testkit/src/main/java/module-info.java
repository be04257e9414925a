/**
 * The conformance kit: what every backend and every store must do, as scenarios that run from JUnit
 * and from the command line; and the backend {@code reference}, naive and right.
 */
module dev.jcomms.testkit {
  requires transitive dev.jcomms;
  requires static org.junit.jupiter.api;

  exports dev.jcomms.testkit;

  provides dev.jcomms.spi.BackendProvider with
      dev.jcomms.testkit.reference.ReferenceProvider;
}
