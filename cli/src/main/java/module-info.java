/** The {@code jcomms} command: launcher, tools and the portable bundle. */
module dev.jcomms.cli {
  requires dev.jcomms;
  requires dev.jcomms.jccl;
  requires dev.jcomms.testkit;
  requires info.picocli;
  requires java.compiler;
  requires java.management;
  requires jdk.compiler;
  requires jdk.management;
  requires jdk.unsupported;

  opens dev.jcomms.cli to
      info.picocli;
  opens dev.jcomms.cli.bench to
      info.picocli;
  opens dev.jcomms.cli.check to
      info.picocli;
  opens dev.jcomms.cli.info to
      info.picocli;
  opens dev.jcomms.cli.ops to
      info.picocli;
  opens dev.jcomms.cli.plan to
      info.picocli;
  opens dev.jcomms.cli.store to
      info.picocli;
  opens dev.jcomms.cli.trace to
      info.picocli;
  opens dev.jcomms.cli.tune to
      info.picocli;
}
