package dev.jcomms.cli;

import dev.jcomms.cli.launch.RankRehearsal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Goes once through what users do most, for the JVM to remember: {@code Rehearsal FOLDER CACHE},
 * run with {@code -XX:AOTCacheOutput} after a build, so that later commands start faster; {@code
 * CACHE} is written for ranks. Works in {@code FOLDER}, which the caller removes.
 */
final class Rehearsal {
  private Rehearsal() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    Path folder = Files.createDirectories(Path.of(args[0]));
    Path source = Files.writeString(folder.resolve("Nothing.java"), "void main() {}\n");
    List.of("--version", "--help").forEach(Main::run);
    Main.run("run", "--help");
    Main.run("info");
    Main.run("run", "-n", "1", source.toString());
    if (!RankRehearsal.record(folder, Path.of(args[1]))) {
      System.err.println("no cache for ranks: the rehearsal failed");
    }
  }
}
