package dev.jcomms.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, as Maven knows it, and of the Java that runs it. */
public final class Version implements IVersionProvider {
  Version() {}

  /** The project's version, such as {@code 0.1.0}. */
  public static String number() {
    try (InputStream in = Version.class.getResourceAsStream("version")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "jcomms %s (Java %s, %s %s)"
          .formatted(
              number(),
              Runtime.version(),
              System.getProperty("os.name"),
              System.getProperty("os.arch"))
    };
  }
}
