package dev.jcomms.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that results go to: looked at before minutes are spent on what cannot be kept, and then
 * there as a whole or as it was before.
 */
public final class ResultFile {
  private ResultFile() {}

  /** Makes sure that it can be written. Changes nothing, and leaves nothing behind. */
  public static void check(Path file) throws IOException {
    if (!isReplaceable(file)) return;
    try {
      if (Files.exists(file)) {
        Files.newByteChannel(file, StandardOpenOption.WRITE).close();
      } else {
        Files.delete(draft(file.toAbsolutePath()));
      }
    } catch (FileSystemException e) {
      throw new FileSystemException(file.toString(), null, FileTrouble.reason(e));
    }
  }

  /** Two results in one file would leave one of them. */
  public static void checkDifferent(String option, Path file, String other, Path otherFile)
      throws IOException {
    if (!isReplaceable(file)) return;
    boolean same =
        file.toAbsolutePath().normalize().equals(otherFile.toAbsolutePath().normalize())
            || (Files.exists(file) && Files.exists(otherFile) && Files.isSameFile(file, otherFile));
    if (same) {
      throw CliException.usage(
          option + "=" + file + " and " + other + "=" + otherFile + " are the same file");
    }
  }

  /** Replaces what it holds. */
  public static void write(Path file, byte[] content) throws IOException {
    Path target = Files.isRegularFile(file) ? file.toRealPath() : file.toAbsolutePath();
    boolean there = Files.exists(target);
    if (!isReplaceable(file) || (there && !Files.isWritable(target.getParent()))) {
      Files.write(file, content);
      return;
    }
    Path draft = draft(target);
    try {
      Files.write(draft, content);
      if (there) {
        Files.setPosixFilePermissions(draft, Files.getPosixFilePermissions(target));
      }
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Whether it is, or would be, a file like others; a device or a pipe is only written to. */
  public static boolean isReplaceable(Path file) {
    return !Files.exists(file) || Files.isRegularFile(file) || Files.isDirectory(file);
  }

  /** An empty file beside, with the rights that a new file gets. */
  private static Path draft(Path target) throws IOException {
    return Files.createTempFile(
        target.getParent(),
        ".jcomms-",
        ".tmp",
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-")));
  }
}
