/**
 * The default backend of JComms: collectives between threads, processes and hosts, in pure Java.
 */
module dev.jcomms.jccl {
  requires transitive dev.jcomms;
  requires java.compiler;
  requires static jdk.incubator.vector;

  exports dev.jcomms.jccl.dsl;
  exports dev.jcomms.jccl.plan;

  provides dev.jcomms.spi.BackendProvider with
      dev.jcomms.jccl.internal.JcclProvider;
}
