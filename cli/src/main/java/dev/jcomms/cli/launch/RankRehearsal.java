package dev.jcomms.cli.launch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Records what a rank loads when it starts, as an ahead-of-time cache for the JVMs of later ranks.
 * Where a cache does not fit a JVM, for other flags or modules, the JVM goes without.
 */
public final class RankRehearsal {
  private static final long DEADLINE_SECONDS = 60;

  private RankRehearsal() {}

  /** Runs one rank alone and writes {@code cache}; returns whether that worked. */
  public static boolean record(Path folder, Path cache) throws IOException, InterruptedException {
    JavaRuntime runtime = JavaRuntime.current();
    Path source = folder.resolve("Rehearsal.java");
    try (InputStream text = RankRehearsal.class.getResourceAsStream("Rehearsal.java.txt")) {
      Files.copy(text, source);
    }
    CompiledSource compiled = SourceCompiler.forUser(runtime).compile(source, JavaOptions.NONE);
    List<String> words = new ArrayList<>(List.of(runtime.java().toString()));
    words.addAll(runtime.options(List.of()));
    words.add("-XX:AOTCacheOutput=" + cache);
    Path jar = jar(compiled.classes(), folder.resolve("rehearsal.jar"));
    words.addAll(List.of("-cp", jar.toString(), compiled.mainClass()));
    Process process =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    boolean ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    return ended && process.exitValue() == 0 && Files.exists(cache);
  }

  /** A cache cannot be recorded from a folder of classes. */
  private static Path jar(Path classes, Path file) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
        var files = Files.list(classes)) {
      for (Path path : files.toList()) {
        jar.putNextEntry(new JarEntry(path.getFileName().toString()));
        Files.copy(path, jar);
      }
    }
    return file;
  }
}
