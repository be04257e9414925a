package dev.jcomms.cli.dist;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a folder as a {@code tar.gz} (POSIX ustar) that says nothing of who wrote it and when:
 * sorted names, owner 0, modes 755 and 644, one time for all.
 */
final class TarGz {
  private static final int BLOCK = 512;

  /** The last second that an entry has room for: eleven octal digits. */
  static final long LATEST = (1L << 33) - 1;

  private TarGz() {}

  /** Writes {@code folder} under its own name; every entry gets the time {@code seconds}. */
  static void write(Path folder, Path file, long seconds) throws IOException {
    List<Path> paths;
    try (var tree = Files.walk(folder)) {
      paths = tree.sorted().toList();
    }
    try (OutputStream out =
        new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(file)), 1 << 16)) {
      for (Path path : paths) {
        String name = folder.getFileName().resolve(folder.relativize(path)).toString();
        if (path.equals(folder)) name = folder.getFileName().toString();
        entry(out, path, name, seconds);
      }
      out.write(new byte[2 * BLOCK]);
    }
  }

  private static void entry(OutputStream out, Path path, String name, long seconds)
      throws IOException {
    if (Files.isSymbolicLink(path)) {
      out.write(header(name, '2', 0777, 0, seconds, Files.readSymbolicLink(path).toString()));
    } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      out.write(header(name + "/", '5', 0755, 0, seconds, ""));
    } else {
      long bytes = Files.size(path);
      out.write(header(name, '0', Files.isExecutable(path) ? 0755 : 0644, bytes, seconds, ""));
      Files.copy(path, out);
      out.write(new byte[(int) (-bytes & (BLOCK - 1))]);
    }
  }

  static byte[] header(String name, char type, int mode, long bytes, long seconds, String link) {
    byte[] header = new byte[BLOCK];
    String prefix = "";
    if (name.length() > 100) {
      int cut = name.indexOf('/', name.length() - 101);
      prefix = name.substring(0, cut);
      name = name.substring(cut + 1);
    }
    text(header, 0, 100, name);
    text(header, 100, 8, "%07o".formatted(mode));
    text(header, 108, 8, "0000000");
    text(header, 116, 8, "0000000");
    text(header, 124, 12, "%011o".formatted(bytes));
    text(header, 136, 12, "%011o".formatted(seconds));
    text(header, 148, 8, "        ");
    header[156] = (byte) type;
    text(header, 157, 100, link);
    text(header, 257, 8, "ustar\00000");
    text(header, 345, 155, prefix);
    int sum = 0;
    for (byte b : header) sum += b & 0xff;
    text(header, 148, 8, "%06o\0 ".formatted(sum));
    return header;
  }

  private static void text(byte[] header, int at, int room, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > room) {
      throw new IllegalArgumentException("tar: '%s' needs %d bytes".formatted(value, bytes.length));
    }
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
