package dev.jcomms.cli.dist;

import dev.jcomms.cli.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A JDK on disk, of this platform or another, as its {@code release} file describes it. */
record Jdk(Path home, String version, String os, String arch) {

  static Jdk at(Path home) {
    Path release = home.resolve("release");
    try {
      Map<String, String> facts =
          Files.readAllLines(release).stream()
              .filter(line -> line.contains("="))
              .collect(
                  Collectors.toMap(
                      line -> line.substring(0, line.indexOf('=')),
                      line -> line.substring(line.indexOf('=') + 1).replace("\"", ""),
                      (first, _) -> first));
      return new Jdk(
          home,
          facts.getOrDefault("JAVA_VERSION", "?"),
          facts.getOrDefault("OS_NAME", System.getProperty("os.name")).toLowerCase(Locale.ROOT),
          facts.getOrDefault("OS_ARCH", System.getProperty("os.arch")).toLowerCase(Locale.ROOT));
    } catch (IOException e) {
      throw CliException.usage("%s is not a JDK: cannot read %s".formatted(home, release));
    }
  }

  /** The one that runs this command. */
  static Jdk current() {
    return at(Path.of(System.getProperty("java.home")));
  }

  Path jmods() {
    return home.resolve("jmods");
  }

  boolean samePlatform(Jdk other) {
    return os.equals(other.os) && arch.equals(other.arch);
  }

  /** Such as {@code linux-aarch64}. */
  String platform() {
    return os + "-" + (arch.equals("amd64") ? "x86_64" : arch);
  }
}
