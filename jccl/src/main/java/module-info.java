/**
 * The default backend of JComms: collectives between threads, processes and hosts, in pure Java.
 */
@SuppressWarnings("module") // the command is compiled later
module dev.jcomms.jccl {
  requires transitive dev.jcomms;
  requires java.compiler;
  requires java.management;
  requires static jdk.incubator.vector;

  exports dev.jcomms.jccl;
  exports dev.jcomms.jccl.dsl;
  exports dev.jcomms.jccl.plan;
  exports dev.jcomms.jccl.internal.exec to
      dev.jcomms.cli;
  exports dev.jcomms.jccl.internal.tune to
      dev.jcomms.cli;

  provides dev.jcomms.spi.BackendProvider with
      dev.jcomms.jccl.internal.JcclProvider;
}
