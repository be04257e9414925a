package dev.jcomms.internal.bootstrap;

import dev.jcomms.BootstrapException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the ranks that mpirun or srun has started on one host meet without an address: rank 0
 * listens on an ephemeral port and leaves port and secret in a file that only this user can read.
 */
final class OneHost {
  private static final long POLL_NANOS = 5_000_000;

  private OneHost() {}

  /** Whether the launcher says that all ranks are on this host. */
  static boolean isWholeJobHere(Map<String, String> environment, int size) {
    String all = Integer.toString(size);
    return all.equals(environment.get("OMPI_COMM_WORLD_LOCAL_SIZE"))
        || all.equals(environment.get("MPI_LOCALNRANKS"))
        || "1"
            .equals(
                environment.getOrDefault("SLURM_STEP_NUM_NODES", environment.get("SLURM_NNODES")));
  }

  static Lodging meet(Map<String, String> environment, int rank, int size, Duration timeout) {
    Path note = folder().resolve(job(environment));
    try {
      return rank == 0 ? host(note, size, timeout) : visit(note, rank, size, timeout);
    } catch (IOException e) {
      throw new BootstrapException(
          "rank " + rank + " of " + size + " cannot meet at " + note, Set.of(), e);
    }
  }

  private static Lodging host(Path note, int size, Duration timeout) throws IOException {
    StoreSecret secret = StoreSecret.generate();
    TcpStoreServer server = TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(secret));
    Path part =
        Files.createTempFile(
            note.getParent(),
            "note",
            ".part",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(part, server.port() + " " + secret.reveal());
    Files.move(part, note, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return lodging(server.port(), secret, 0, size, timeout, server::close)
        .tidy(
            () -> {
              note.toFile().delete();
            });
  }

  private static Lodging visit(Path note, int rank, int size, Duration timeout) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        String[] words = Files.readString(note).split(" ");
        return lodging(
            Integer.parseInt(words[0]), StoreSecret.of(words[1]), rank, size, timeout, () -> {});
      } catch (NoSuchFileException e) {
        if (System.nanoTime() - deadline > 0) {
          throw new BootstrapException(
              "rank 0 left no note at " + note + " within " + timeout.toSeconds() + " s",
              Set.of(0),
              e);
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  private static Lodging lodging(
      int port, StoreSecret secret, int rank, int size, Duration timeout, Runnable last) {
    TcpStore store =
        TcpStore.connect(
            "127.0.0.1", port, TcpStoreOptions.defaults().timeout(timeout).secret(secret));
    return new Lodging(store, Optional.of(secret))
        .tidy(last)
        .tidy(store::close)
        .partTogether("jcomms/farewell", rank, size, rank == 0);
  }

  private static Path folder() {
    Path folder =
        Path.of(System.getProperty("java.io.tmpdir"), "jcomms-" + System.getProperty("user.name"));
    try {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        try {
          Files.createDirectory(
              folder,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (java.nio.file.FileAlreadyExistsException e) {
          // another rank was first
        }
      }
      if (!Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS)
              .getName()
              .equals(System.getProperty("user.name"))
          || !Files.getPosixFilePermissions(folder)
              .equals(PosixFilePermissions.fromString("rwx------"))) {
        throw new BootstrapException(
            folder + " is not this user's alone; remove it", Set.of(), null);
      }
    } catch (IOException e) {
      throw new BootstrapException("cannot make " + folder, Set.of(), e);
    }
    return folder;
  }

  /**
   * The launcher's process is the one thing that the ranks of a job on one host share, and no other
   * job has.
   */
  private static String job(Map<String, String> environment) {
    String id =
        environment.getOrDefault(
            "PMIX_NAMESPACE",
            environment.getOrDefault("SLURM_JOB_ID", "job")
                + "."
                + environment.getOrDefault("SLURM_STEP_ID", "0"));
    String parent =
        environment.containsKey("SLURM_JOB_ID") || environment.containsKey("PMIX_NAMESPACE")
            ? ""
            : ProcessHandle.current()
                .parent()
                .map(
                    p ->
                        "-"
                            + p.pid()
                            + "-"
                            + p.info().startInstant().map(i -> i.toEpochMilli()).orElse(0L))
                .orElse("");
    return id.replaceAll("[^A-Za-z0-9_.-]", "_") + parent;
  }
}
