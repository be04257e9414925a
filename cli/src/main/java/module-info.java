/** The {@code jcomms} command: launcher, tools and the portable bundle. */
module dev.jcomms.cli {
  requires dev.jcomms;
  requires info.picocli;
  requires java.compiler;
  requires jdk.compiler;
  requires jdk.unsupported;

  opens dev.jcomms.cli to
      info.picocli;
}
