package dev.jcomms.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Goes once through what users do most, for the JVM to remember: run with {@code
 * -XX:AOTCacheOutput} after a build, so that later commands start faster. Prints nothing, leaves
 * nothing.
 */
final class Rehearsal {
  private Rehearsal() {}

  public static void main(String[] args) throws Exception {
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    Path folder = Files.createTempDirectory("jcomms-");
    Path source = folder.resolve("Rehearsal.java");
    try {
      Files.writeString(source, "import module dev.jcomms;\nvoid main() {}\n");
      Main.run("--version");
      Main.run("--help");
      Main.run("run", "--help");
      Main.run("info");
      Main.run("run", "-n", "1", source.toString());
    } finally {
      Files.deleteIfExists(source);
      Files.deleteIfExists(folder);
    }
  }
}
