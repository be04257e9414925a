package dev.jcomms.cli.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Compiled source programs, one folder each, shared by all processes of a user on a host.
 *
 * <p>A file lock lets one process compile while the others wait for its result. Classes are kept in
 * a folder named after the sources' content, so a program that runs keeps its classes when its
 * source is edited and started again.
 */
final class CompileCache {

  /** What a compilation read, and what it found there to start. */
  record Entry(List<Path> sources, String module, String mainClass) {}

  private static final Duration KEPT = Duration.ofDays(14);

  private final Path home;

  CompileCache(Path home) {
    this.home = home;
  }

  /** {@code JCOMMS_CACHE}, else the user's cache folder, else a folder for temporary files. */
  static CompileCache ofUser(Map<String, String> env) {
    Path user =
        env.containsKey("JCOMMS_CACHE")
            ? Path.of(env.get("JCOMMS_CACHE"))
            : env.containsKey("XDG_CACHE_HOME")
                ? Path.of(env.get("XDG_CACHE_HOME"), "jcomms")
                : Path.of(System.getProperty("user.home"), ".cache", "jcomms");
    try {
      return new CompileCache(privateFolder(user.resolve("compiled")));
    } catch (IOException _) {
      String name = "jcomms-" + System.getProperty("user.name");
      Path temporary = Path.of(System.getProperty("java.io.tmpdir"), name, "compiled");
      try {
        Path folder = privateFolder(temporary);
        if (!Files.getOwner(folder).getName().equals(System.getProperty("user.name"))) {
          throw new IOException(folder + " belongs to " + Files.getOwner(folder));
        }
        return new CompileCache(folder);
      } catch (IOException e) {
        throw new UncheckedIOException("no folder for compiled programs; set JCOMMS_CACHE", e);
      }
    }
  }

  /**
   * The program of this identity: as it was compiled last, or by {@code compile} (given the folder
   * for its classes) when a source changed.
   */
  synchronized CompiledSource get(List<String> identity, Function<Path, Entry> compile) {
    try {
      Path folder =
          privateFolder(
              home.resolve(digest(String.join("\0", identity).getBytes(StandardCharsets.UTF_8))));
      try (FileChannel channel =
              FileChannel.open(
                  folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        Files.setLastModifiedTime(folder.resolve("lock"), FileTime.from(Instant.now()));
        Path record = folder.resolve("program");
        Optional<CompiledSource> known = read(record);
        if (known.isPresent()) return known.get();
        forgetUnused();
        return compile(folder, record, compile);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CompiledSource compile(Path folder, Path record, Function<Path, Entry> compile)
      throws IOException {
    Path fresh = Files.createTempDirectory(folder, "new-");
    try {
      Entry entry = compile.apply(fresh);
      StringBuilder text = new StringBuilder();
      for (Path source : entry.sources()) {
        text.append(digest(Files.readAllBytes(source))).append(' ').append(source).append('\n');
      }
      Path classes = folder.resolve(digest(text.toString().getBytes(StandardCharsets.UTF_8)));
      if (!Files.exists(classes)) Files.move(fresh, classes, StandardCopyOption.ATOMIC_MOVE);
      String lines = classes.getFileName() + "\n" + entry.module() + "\n" + entry.mainClass();
      Path draft = folder.resolve("program.new");
      Files.writeString(draft, lines + "\n" + text);
      Files.move(draft, record, StandardCopyOption.ATOMIC_MOVE);
      return result(classes, entry.module(), entry.mainClass());
    } finally {
      delete(fresh);
    }
  }

  /** Drops programs nobody ran for a while, such as those compiled for builds long gone. */
  private void forgetUnused() throws IOException {
    Instant limit = Instant.now().minus(KEPT);
    try (Stream<Path> folders = Files.list(home)) {
      for (Path folder : folders.toList()) {
        Path lock = folder.resolve("lock");
        boolean unused =
            Files.exists(lock) && Files.getLastModifiedTime(lock).toInstant().isBefore(limit);
        if (unused) delete(folder);
      }
    }
  }

  /** The last compilation, if all it read is still as it was. */
  private static Optional<CompiledSource> read(Path record) throws IOException {
    if (!Files.exists(record)) return Optional.empty();
    List<String> lines = Files.readAllLines(record);
    for (String line : lines.subList(3, lines.size())) {
      int space = line.indexOf(' ');
      Path source = Path.of(line.substring(space + 1));
      if (!Files.exists(source)) return Optional.empty();
      if (!digest(Files.readAllBytes(source)).equals(line.substring(0, space))) {
        return Optional.empty();
      }
    }
    Path classes = record.resolveSibling(lines.get(0));
    if (!Files.isDirectory(classes)) return Optional.empty();
    return Optional.of(result(classes, lines.get(1), lines.get(2)));
  }

  private static CompiledSource result(Path classes, String module, String mainClass) {
    return new CompiledSource(
        classes, module.isEmpty() ? Optional.empty() : Optional.of(module), mainClass);
  }

  private static Path privateFolder(Path folder) throws IOException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    return Files.createDirectories(folder, mode);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(path);
    }
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
