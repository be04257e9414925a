package dev.jcomms.cli.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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

  /** A record's lines before its sources: the folder of classes, the module, the main class. */
  private static final int HEAD = 3;

  /**
   * Locks that say "in use" of a program's folder until this process ends. They outlast {@code
   * exec} too, since the system keeps them for the process and Java leaves the file open.
   */
  private static final Map<Path, FileLock> IN_USE = new ConcurrentHashMap<>();

  private static final String USED = "used";

  private final Path home;

  CompileCache(Path home) {
    this.home = home;
  }

  /** In the user's cache folder, else in a folder for temporary files. */
  static CompileCache ofUser(Map<String, String> env) {
    return new CompileCache(UserFolders.forCache("compiled", env));
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
        use(folder);
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
        if (unused) deleteUnlessInUse(folder);
      }
    }
  }

  private static void use(Path folder) throws IOException {
    if (IN_USE.containsKey(folder)) return;
    FileChannel channel =
        FileChannel.open(
            folder.resolve(USED),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    IN_USE.put(folder, channel.lock(0, Long.MAX_VALUE, true));
  }

  /** A job may run for longer than programs are kept, and load a class on its last day. */
  private static void deleteUnlessInUse(Path folder) throws IOException {
    if (IN_USE.containsKey(folder)) return;
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve(USED), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock alone = channel.tryLock()) {
      if (alone != null) delete(folder);
    } catch (OverlappingFileLockException _) {
      // Another thread of ours is at it.
    }
  }

  /** The last compilation, if all it read is still as it was. */
  private static Optional<CompiledSource> read(Path record) throws IOException {
    if (!Files.exists(record)) return Optional.empty();
    List<String> lines = Files.readAllLines(record);
    if (lines.size() <= HEAD) return Optional.empty(); // cut short, as by a full disk
    for (String line : lines.subList(HEAD, lines.size())) {
      int space = line.indexOf(' ');
      if (space < 0) return Optional.empty();
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
    return Files.createDirectories(folder, UserFolders.ownerOnly());
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
