package dev.jcomms.internal.bootstrap;

import dev.jcomms.BootstrapException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The folder for notes between processes of one user, under the folder for temporary files. Named
 * and checked by the user's number: in a container the user often has no name.
 */
final class PrivateFolder {
  private static final Set<PosixFilePermission> MINE_ALONE =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFolder() {}

  /** The folder, made if it is not there. */
  static Path find() {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      Object user = user(temporary);
      Path folder = temporary.resolve("jcomms-" + user);
      try {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(MINE_ALONE));
      } catch (FileAlreadyExistsException e) {
        // Made before by this user, or planted by another: what follows tells.
      }
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          || !user.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))
          || !Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).equals(MINE_ALONE)) {
        throw new BootstrapException(
            folder + " is not this user's alone; remove it", Set.of(), null);
      }
      return folder;
    } catch (IOException e) {
      throw new BootstrapException("cannot make a folder in " + temporary, Set.of(), e);
    }
  }

  /** This user's number: whose a file is that this process makes. */
  private static Object user(Path temporary) throws IOException {
    Path probe = Files.createTempFile(temporary, "jcomms", ".uid");
    try {
      return Files.getAttribute(probe, "unix:uid");
    } finally {
      Files.delete(probe);
    }
  }
}
