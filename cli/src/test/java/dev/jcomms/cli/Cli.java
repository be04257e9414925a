package dev.jcomms.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** The command inside this JVM, for what needs no process of its own. */
public final class Cli {
  /** How it ended, and what it said. */
  public record Result(int status, String out, String err) {}

  private Cli() {}

  /** Runs a command. Bytes that go past its writer, straight to stdout, are in {@code out} too. */
  public static synchronized Result run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    PrintStream stdout = System.out;
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    // Before the command line is made: picocli drops its own writers if stdout changes later.
    System.setOut(new PrintStream(raw, true, StandardCharsets.UTF_8));
    try {
      CommandLine line = Main.commandLine();
      line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
      int status = line.execute(args);
      return new Result(status, out + raw.toString(StandardCharsets.ISO_8859_1), err.toString());
    } finally {
      System.setOut(stdout);
    }
  }
}
