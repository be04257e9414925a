package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code jcomms} command in a process of its own, as users run it. Every wait has a deadline. */
final class Launcher implements AutoCloseable {
  static final Duration DEADLINE = Duration.ofSeconds(120);

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();

  private Launcher(Process process) {
    this.process = process;
    readers.add(reader("err ", process.getErrorStream()));
  }

  static Launcher start(Path folder, String... args) throws IOException {
    return start(folder, Map.of(), args);
  }

  static Launcher start(Path folder, Map<String, String> environment, String... args)
      throws IOException {
    Launcher launcher = startUnread(folder, environment, args);
    launcher.read();
    return launcher;
  }

  /** A launcher whose stdout waits until it is {@link #read}. */
  static Launcher startUnread(Path folder, Map<String, String> environment, String... args)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    words.addAll(List.of("-p", System.getProperty("jdk.module.path")));
    words.add("--enable-native-access=dev.jcomms.cli");
    words.addAll(List.of("-m", "dev.jcomms.cli/dev.jcomms.cli.Main"));
    words.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    builder.environment().put("JCOMMS_CACHE", folder.resolve("cache").toString());
    builder.environment().putAll(environment);
    return new Launcher(builder.start());
  }

  /** Begins to read stdout. */
  void read() {
    readers.add(reader("out ", process.getInputStream()));
  }

  private Thread reader(String tag, InputStream in) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try (var text =
                  new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line; (line = text.readLine()) != null; ) add(tag + line);
              } catch (IOException _) {
                add(tag + "(cut off)");
              }
            });
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  /** All lines so far, each after {@code "out "} or {@code "err "}. */
  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** Waits for {@code count} matches of a pattern in the output; returns its first groups. */
  synchronized List<String> await(String pattern, int count) throws InterruptedException {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      List<String> found = new ArrayList<>();
      for (String line : lines) {
        Matcher matcher = Pattern.compile(pattern).matcher(line);
        if (matcher.find()) found.add(matcher.groupCount() == 0 ? line : matcher.group(1));
      }
      if (found.size() >= count) return found;
      long left = (end - System.nanoTime()) / 1_000_000;
      assertThat(left).as("%d times %s in %s", count, pattern, lines).isPositive();
      wait(left);
    }
  }

  /** Whether it ends by itself within the time. */
  boolean ends(Duration bound) throws InterruptedException {
    return process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Waits for the end; returns the exit status. */
  int status() throws InterruptedException {
    boolean ended = process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended).as("ended; it said %s", lines()).isTrue();
    for (Thread reader : readers) reader.join(DEADLINE);
    return process.exitValue();
  }

  long pid() {
    return process.pid();
  }

  void signal(int number) {
    assertThat(Posix.kill(process.pid(), number)).isTrue();
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly(); // the process's own closes pipes under who reads them
  }
}
