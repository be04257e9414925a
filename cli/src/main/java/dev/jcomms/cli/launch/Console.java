package dev.jcomms.cli.launch;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The launcher's own stdout and stderr, shared by all ranks: one rank's lines are written whole,
 * one rank at a time. Any thread may write.
 */
final class Console {
  private static final int[] COLOURS = {36, 33, 35, 32, 34, 91, 96, 93, 95, 92, 94, 31};

  private final OutputStream out;
  private final OutputStream err;
  private final boolean colourOut;
  private final boolean colourErr;
  private final Optional<Listener> listener;

  Console(OutputStream out, OutputStream err, boolean colourOut, boolean colourErr) {
    this(out, err, colourOut, colourErr, Optional.empty());
  }

  /** One without colour whose ranks' stdout goes to a listener. */
  Console(OutputStream out, OutputStream err, Listener listener) {
    this(out, err, false, false, Optional.of(listener));
  }

  private Console(
      OutputStream out,
      OutputStream err,
      boolean colourOut,
      boolean colourErr,
      Optional<Listener> listener) {
    this.out = out;
    this.err = err;
    this.colourOut = colourOut;
    this.colourErr = colourErr;
    this.listener = listener;
  }

  /**
   * The real one: in colour where a stream is a terminal, unless the environment has {@code
   * NO_COLOR}. With a listener, the ranks' stdout goes there instead.
   */
  static Console ofProcess(Map<String, String> env, Optional<Listener> listener) {
    boolean plain = !env.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(env.get("TERM"));
    return new Console(
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        !plain && Posix.isTerminal(1),
        !plain && Posix.isTerminal(2),
        listener);
  }

  /** What stands before each line of a rank, on stdout or on stderr. */
  byte[] prefix(int rank, boolean stderr) {
    if (!stderr && listener.isPresent()) return new byte[0];
    String text = "[" + rank + "] ";
    if (stderr ? colourErr : colourOut) {
      text = "\033[%dm[%d]\033[0m ".formatted(COLOURS[rank % COLOURS.length], rank);
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes whole lines of one rank. */
  synchronized void write(boolean stderr, ByteArrayOutputStream lines) throws IOException {
    if (!stderr && listener.isPresent()) {
      for (String line : lines.toString(StandardCharsets.UTF_8).lines().toList()) {
        listener.get().line(line);
      }
    } else {
      lines.writeTo(stderr ? err : out);
    }
  }

  /** A line of the launcher itself, on stderr. */
  synchronized void say(String line) {
    write("jcomms: " + line + "\n");
  }

  /** A line that quotes a rank, on stderr. */
  synchronized void quote(String line) {
    write("  | " + line + "\n");
  }

  private void write(String text) {
    try {
      err.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // Nobody is left to read it; the exit status still tells.
    }
  }
}
