package dev.jcomms.jccl.internal.nativecode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compiled classes by the digest of what they were compiled from: one file each, in a folder of the
 * user's, neither of which others may touch. Where there can be no such folder, nothing is kept.
 */
final class ClassCache {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");

  /** Null if nothing can be kept. */
  private final Path folder;

  private ClassCache(Path folder) {
    this.folder = folder;
  }

  static ClassCache of(Map<String, String> environment) {
    try {
      Path folder = place(environment).resolve("native");
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return new ClassCache(isOurs(folder) ? folder : null);
    } catch (IOException | UnsupportedOperationException e) {
      return new ClassCache(null);
    }
  }

  /** As the command finds it: {@code JCOMMS_CACHE}, else as XDG has it. */
  private static Path place(Map<String, String> environment) throws IOException {
    String own = environment.getOrDefault("JCOMMS_CACHE", "");
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    String home = System.getProperty("user.home", "?");
    if (own.isEmpty() && xdg.isEmpty() && home.equals("?")) {
      throw new IOException("no home");
    }
    return !own.isEmpty()
        ? Path.of(own)
        : !xdg.isEmpty() ? Path.of(xdg, "jcomms") : Path.of(home, ".cache", "jcomms");
  }

  /** Who could write here could have us run their classes. */
  private static boolean isOurs(Path path) throws IOException {
    Set<PosixFilePermission> others =
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    return !others.contains(PosixFilePermission.GROUP_WRITE)
        && !others.contains(PosixFilePermission.OTHERS_WRITE)
        && Files.getOwner(path, LinkOption.NOFOLLOW_LINKS)
            .equals(Files.getOwner(Path.of("/proc/self")));
  }

  /** The classes kept under a digest; empty if there are none, or none that are whole. */
  Optional<Map<String, byte[]>> get(String digest) {
    if (folder == null) {
      return Optional.empty();
    }
    try {
      Path file = folder.resolve(digest);
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !isOurs(file)) {
        return Optional.empty();
      }
      return Optional.of(decode(Files.readAllBytes(file)));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Keeps classes; whole or not at all, whoever else does the same. */
  void put(String digest, Map<String, byte[]> classes) {
    if (folder == null) {
      return;
    }
    try {
      Path draft =
          Files.createTempFile(folder, "new-", "", PosixFilePermissions.asFileAttribute(OWNER));
      try {
        Files.write(draft, encode(classes));
        Files.move(draft, folder.resolve(digest), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException | UnsupportedOperationException e) {
      System.getLogger("dev.jcomms.jccl")
          .log(System.Logger.Level.DEBUG, "cannot keep what was compiled", e);
    }
  }

  private static byte[] encode(Map<String, byte[]> classes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(classes.size());
      for (Map.Entry<String, byte[]> one : classes.entrySet()) {
        out.writeUTF(one.getKey());
        out.writeInt(one.getValue().length);
        out.write(one.getValue());
      }
      byte[] all = bytes.toByteArray();
      out.writeInt(Arrays.hashCode(all));
    }
    return bytes.toByteArray();
  }

  private static Map<String, byte[]> decode(byte[] bytes) throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        String name = in.readUTF();
        int length = in.readInt();
        byte[] code = in.readNBytes(length);
        if (code.length != length) {
          throw new IOException("cut short");
        }
        classes.put(name, code);
      }
      if (in.readInt() != Arrays.hashCode(Arrays.copyOf(bytes, bytes.length - Integer.BYTES))) {
        throw new IOException("damaged");
      }
    }
    return classes;
  }
}
