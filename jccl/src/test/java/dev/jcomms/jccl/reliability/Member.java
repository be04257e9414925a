package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One process of a {@link Group} and what it has said. Any thread. */
final class Member implements AutoCloseable {
  /** A line that a rank said, and when it was heard. */
  private record Line(String text, long atNanos) {}

  final Process process;
  final String name;
  private final List<Line> lines = new ArrayList<>();
  private final Network network;
  private boolean over;

  /**
   * @param network what its ports are behind, if it asks
   */
  Member(String name, List<String> command, Map<String, String> environment, Network network)
      throws IOException {
    this.name = name;
    this.network = network;
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(key -> key.startsWith("JCOMMS_"));
    builder.environment().putAll(environment);
    process = builder.start();
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = in.readLine()) != null; ) {
        add(line);
        if (line.startsWith("ROUTE ")) {
          int port = Integer.parseInt(line.split(" ")[1]);
          tell("route " + port + " " + network.inFrontOf(port).port());
        }
      }
    } catch (IOException e) {
      add("(cut off)");
    }
    synchronized (this) {
      over = true;
      notifyAll();
    }
  }

  private synchronized void add(String line) {
    lines.add(new Line(line, System.nanoTime()));
    notifyAll();
  }

  synchronized String await(String start) throws InterruptedException {
    return await(line -> line.text.startsWith(start), "a line '" + start + "'").text;
  }

  private synchronized Line await(Predicate<Line> wanted, String what) throws InterruptedException {
    long end = System.nanoTime() + Group.DEADLINE.toNanos();
    while (true) {
      for (Line line : lines) {
        if (wanted.test(line)) {
          return line;
        }
      }
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0 && !over) {
        dumpThreads();
      }
      assertThat(left > 0 && !over)
          .as("%s says %s; it said%n%s", name, what, transcript())
          .isTrue();
      wait(left);
    }
  }

  /** Has it say where its threads are. */
  private synchronized void dumpThreads() throws InterruptedException {
    try {
      signal("QUIT");
      wait(1000);
    } catch (IOException e) {
      lines.add(new Line("(no thread dump: " + e + ")", System.nanoTime()));
    }
  }

  /** How something ended that it tried. */
  Report report(String label) throws InterruptedException {
    String start = Report.MARK;
    Line line =
        await(
            said ->
                said.text.startsWith(start)
                    && Report.decode(said.text, said.atNanos).label().equals(label),
            "how '" + label + "' ended");
    return Report.decode(line.text, line.atNanos);
  }

  synchronized boolean hasReported(String label) {
    return reports().stream().anyMatch(report -> report.label().equals(label));
  }

  /** Everything that it has reported so far. */
  synchronized List<Report> reports() {
    return lines.stream()
        .filter(line -> line.text.startsWith(Report.MARK))
        .map(line -> Report.decode(line.text, line.atNanos))
        .toList();
  }

  void tell(String line) throws IOException {
    OutputStream out = process.getOutputStream();
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  void signal(String signal) throws IOException, InterruptedException {
    int status = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
    assertThat(status).as("kill -%s %s", signal, name).isZero();
  }

  /** Kills it, and waits until it is gone. */
  void kill() throws Exception {
    end();
    awaitEnd();
  }

  /** Waits until it is gone. */
  void awaitEnd() throws Exception {
    assertThat(process.waitFor(Group.DEADLINE.toSeconds(), TimeUnit.SECONDS)).as(name).isTrue();
  }

  /** What it has said, and how it has ended, if it has. */
  synchronized String transcript() {
    String said = lines.stream().map(Line::text).collect(Collectors.joining("\n"));
    return process.isAlive() ? said : said + "\n(ended with " + process.exitValue() + ")";
  }

  @Override
  public void close() {
    end();
  }

  /**
   * By its handle: the process's own method closes the pipe under who reads it, and the number of
   * the pipe may be another's when that thread gets to read from it.
   */
  private void end() {
    process.toHandle().destroyForcibly();
  }
}
