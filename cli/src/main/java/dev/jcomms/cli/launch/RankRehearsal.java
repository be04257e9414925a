package dev.jcomms.cli.launch;

import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Records what a rank loads when it starts and meets another, as an ahead-of-time cache for the
 * JVMs of later ranks. Where a cache does not fit a JVM, for other flags or modules, the JVM goes
 * without.
 */
public final class RankRehearsal {
  private static final long DEADLINE_SECONDS = 60;
  private static final String HOST = "127.0.0.1";

  private RankRehearsal() {}

  /** Runs a job of two ranks and writes {@code cache}; returns whether that worked. */
  public static boolean record(Path folder, Path cache) throws IOException, InterruptedException {
    JavaRuntime runtime = JavaRuntime.current();
    Path source = folder.resolve("Rehearsal.java");
    try (InputStream text = RankRehearsal.class.getResourceAsStream("Rehearsal.java.txt")) {
      Files.copy(text, source);
    }
    CompiledSource compiled = SourceCompiler.forUser(runtime).compile(source, JavaOptions.NONE);
    Path jar = jar(compiled.classes(), folder.resolve("rehearsal.jar"));
    StoreSecret secret = StoreSecret.generate();
    List<Process> ranks = new ArrayList<>();
    try (TcpStoreServer store =
        TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(secret))) {
      var common =
          new RankEnvironment.Common(
              "rehearsal", "rehearsal", "default", HOST, store.port(), 0, secret.reveal());
      for (Placement at : Placement.onNode(0, List.of(2))) {
        List<String> words = new ArrayList<>(List.of(runtime.java().toString()));
        words.addAll(runtime.options(List.of()));
        if (at.rank() == 0) words.add("-XX:AOTCacheOutput=" + cache);
        words.addAll(List.of("-cp", jar.toString(), compiled.mainClass()));
        ranks.add(start(words, RankEnvironment.of(at, common, 0, folder, Map.of(), Map.of())));
      }
      boolean ended = true;
      for (Process rank : ranks) {
        ended &= rank.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS) && rank.exitValue() == 0;
      }
      return ended && Files.exists(cache);
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
  }

  private static Process start(List<String> words, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeAll(RankEnvironment.STALE);
    builder.environment().putAll(environment);
    return builder.start();
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
