package dev.jcomms.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A script of {@code src/test/python}, run by the Python that {@code JCOMMS_PYTHON} names; it must
 * have PyTorch. Without the variable the test is skipped, and says so.
 */
final class Python implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 90;

  private final Process process;
  private final BufferedReader output;
  private final Writer input;

  Python(String script, Object... arguments) throws IOException {
    String python = System.getenv("JCOMMS_PYTHON");
    assumeTrue(python != null, "JCOMMS_PYTHON names no Python with PyTorch");
    List<String> command = new ArrayList<>(List.of(python, "-W", "ignore"));
    command.add(Path.of("src/test/python", script).toString());
    for (Object argument : arguments) command.add(argument.toString());
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader();
    input = process.outputWriter();
  }

  /** The next line it prints; null at its end. */
  String readLine() throws IOException {
    CompletableFuture<String> line = new CompletableFuture<>();
    // A thread of its own, since reading a pipe cannot be interrupted.
    Thread.ofPlatform().daemon().start(() -> completeWithLine(line));
    return line.orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
  }

  private void completeWithLine(CompletableFuture<String> line) {
    try {
      line.complete(output.readLine());
    } catch (IOException e) {
      line.completeExceptionally(e);
    }
  }

  /** Tells it something, and returns the line it answers with. */
  String ask(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
    return readLine();
  }

  /** Waits for it to say that all went well. */
  void expectOk() throws Exception {
    assertThat(readLine()).isEqualTo("ok");
    assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  /** Kills it as hard as can be. */
  void kill() {
    process.toHandle().destroyForcibly(); // the process's own closes the pipe under who reads it
  }

  @Override
  public void close() {
    kill();
  }
}
