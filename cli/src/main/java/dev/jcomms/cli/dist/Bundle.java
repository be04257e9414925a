package dev.jcomms.cli.dist;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.ResultFile;
import dev.jcomms.cli.Version;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One archive that runs where there is neither Java nor Maven: {@code bin/jcomms}, the modules in
 * {@code lib/}, a Java runtime in {@code runtime/}, {@code docs/} and {@code examples/}.
 */
public final class Bundle {
  private static final String README = "README.md";

  private static final String NOTE =
      "> This is a bundle: where the text says `./jcomms`, run `bin/jcomms`; it needs neither Java"
          + " nor Maven.\n\n";

  private static final List<String> ALONG =
      List.of("docs", "examples", "CHANGELOG.md", "LICENSE", README);

  private final Jdk jdk;
  private final List<Path> libraries;
  private final Optional<Path> home;

  private Bundle(Jdk jdk, List<Path> libraries, Optional<Path> home) {
    this.jdk = jdk;
    this.libraries = libraries;
    this.home = home;
  }

  /** Of what this command runs on, with the runtime of another JDK if one is given. */
  public static Bundle of(Optional<Path> jdk) {
    List<Path> libraries = new ArrayList<>();
    for (String place : System.getProperty("jdk.module.path", "").split(File.pathSeparator)) {
      File[] jars = new File(place).listFiles((_, name) -> name.endsWith(".jar"));
      if (jars != null) Stream.of(jars).map(File::toPath).forEach(libraries::add);
      else if (place.endsWith(".jar")) libraries.add(Path.of(place));
    }
    if (libraries.isEmpty()) {
      throw CliException.failure("no jars to bundle: run the jcomms of a checkout or of a bundle");
    }
    return new Bundle(
        jdk.map(Jdk::at).orElseGet(Jdk::current),
        libraries.stream().sorted().toList(),
        Optional.ofNullable(System.getProperty("jcomms.home")).map(Path::of));
  }

  /** Such as {@code jcomms-0.1.0-linux-aarch64}. */
  public String name() {
    return "jcomms-%s-%s".formatted(Version.number(), jdk.platform());
  }

  /** Writes the archive; returns its size in bytes. */
  public long write(Path file) throws IOException, InterruptedException {
    // Linking takes long: what is wrong is said before.
    ResultFile.check(file);
    long time = time(Optional.ofNullable(System.getenv("SOURCE_DATE_EPOCH")));
    Path work = Files.createTempDirectory("jcomms-dist-");
    try {
      Path root = Files.createDirectories(work.resolve(name()));
      RuntimeImage.link(jdk, libraries, root.resolve("runtime"));
      Path lib = Files.createDirectories(root.resolve("lib"));
      for (Path jar : libraries) Files.copy(jar, lib.resolve(jar.getFileName()));
      Path command = Files.createDirectories(root.resolve("bin")).resolve("jcomms");
      try (InputStream script = Bundle.class.getResourceAsStream("jcomms.sh")) {
        Files.copy(script, command);
      }
      command.toFile().setExecutable(true, false);
      for (String along : ALONG) {
        Path source = home.map(path -> path.resolve(along)).orElse(Path.of("/nonexistent"));
        if (Files.exists(source)) copy(source, root.resolve(along));
      }
      note(root.resolve(README));
      Path draft = work.resolve("draft");
      TarGz.write(root, draft, time);
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
      return Files.size(file);
    } finally {
      delete(work);
    }
  }

  /** The README speaks of a checkout; a bundle has its command elsewhere. */
  private static void note(Path readme) throws IOException {
    String text = Files.exists(readme) ? Files.readString(readme) : "# JComms\n";
    if (!text.startsWith(NOTE)) Files.writeString(readme, NOTE + text);
  }

  /** {@code SOURCE_DATE_EPOCH}, the custom of reproducible builds, or one fixed time. */
  static long time(Optional<String> given) {
    if (given.isEmpty()) return 315532800;
    String text = given.get();
    long seconds = text.matches("[0-9]{1,10}") ? Long.parseLong(text) : -1;
    if (seconds < 0 || seconds > TarGz.LATEST) {
      throw CliException.usage(
          "SOURCE_DATE_EPOCH=%s is not a number of seconds since 1970, from 0 to %d"
              .formatted(text, TarGz.LATEST));
    }
    return seconds;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from, FileVisitOption.FOLLOW_LINKS)) {
      for (Path path : tree.sorted().toList()) {
        if (from.relativize(path).toString().matches("(.*/)?(target|\\..+|__pycache__)(/.*)?")) {
          continue;
        }
        Path copy = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) Files.createDirectories(copy);
        else Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(path);
    }
  }
}
