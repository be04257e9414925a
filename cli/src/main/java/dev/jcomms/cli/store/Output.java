package dev.jcomms.cli.store;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine.Model.CommandSpec;

/** Stdout for lines and for bytes. */
record Output(PrintWriter out) {

  Output(CommandSpec spec) {
    this(spec.commandLine().getOut());
  }

  void line(String line) {
    out.println(line);
    out.flush();
  }

  /** Bytes as they are: past the writer, which would encode them. */
  void bytes(byte[] bytes) {
    out.flush();
    try {
      System.out.write(bytes);
      System.out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
