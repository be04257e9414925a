package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/** Where a user's files lie, be it a user whom the system knows by number only. */
public final class UserFolders {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private UserFolders() {}

  /** Whether this user may do anything. */
  public static boolean isRoot() {
    return Posix.uid() == 0;
  }

  /**
   * A folder of this user alone for what can be made anew: in the user's cache, else among
   * temporary files.
   */
  public static Path forCache(String name, Map<String, String> env) {
    try {
      return Files.createDirectories(cache(env).resolve(name), ownerOnly());
    } catch (IOException _) {
      try {
        return own(temporary().resolve(name));
      } catch (IOException e) {
        throw CliException.failure(
            "no folder for %s (%s); set JCOMMS_CACHE".formatted(name, e.getMessage()));
      }
    }
  }

  /** The folder for what can be made anew: {@code JCOMMS_CACHE}, else as XDG has it. */
  static Path cache(Map<String, String> env) throws IOException {
    if (!env.getOrDefault("JCOMMS_CACHE", "").isEmpty()) return Path.of(env.get("JCOMMS_CACHE"));
    if (!env.getOrDefault("XDG_CACHE_HOME", "").isEmpty()) {
      return Path.of(env.get("XDG_CACHE_HOME"), "jcomms");
    }
    // Java answers "?" for a user without an entry in the system's list of users.
    String home = System.getProperty("user.home");
    if (home.equals("?")) home = env.getOrDefault("HOME", "");
    if (home.isEmpty()) throw new IOException("user " + Posix.uid() + " has no home");
    return Path.of(home, ".cache", "jcomms");
  }

  /** The user's folder for temporary files, named by number: a name may be "?" or another's. */
  static Path temporary() throws IOException {
    return own(Path.of(System.getProperty("java.io.tmpdir"), "jcomms-" + Posix.uid()));
  }

  /**
   * A folder in a place where others may write too: made, or found to be this user's alone. Who
   * could write there could have us run their classes.
   */
  static Path own(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, ownerOnly());
    } catch (FileAlreadyExistsException e) {
      // Ours from last time, or a trap: the look below tells.
    }
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        || (int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS) != Posix.uid()
        || !Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).equals(OWNER_ONLY)) {
      throw new IOException(folder + " is not this user's alone; remove it");
    }
    return folder;
  }

  static FileAttribute<Set<PosixFilePermission>> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(OWNER_ONLY);
  }
}
