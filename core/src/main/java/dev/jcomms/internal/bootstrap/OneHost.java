package dev.jcomms.internal.bootstrap;

import dev.jcomms.BootstrapException;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the ranks that mpirun or srun has started on one host meet without an address: rank 0
 * listens on an ephemeral port, once for all communicators of its process, and leaves a {@link
 * JobNote}.
 */
final class OneHost {
  private static final long POLL_NANOS = 5_000_000;

  /** How long a note's store is tried before the note is read again. */
  private static final Duration TRIAL = Duration.ofSeconds(1);

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
    Path file = PrivateFolder.find().resolve(job(environment));
    JobNote note = rank == 0 ? host(file) : find(file, rank, size, timeout);
    TcpStore store = connect(note, timeout);
    return new Lodging(store, Optional.of(note.secret()))
        .tidy(store::close)
        .partTogether("jcomms/farewell", rank, size, rank == 0);
  }

  private static JobNote host(Path file) {
    HostedStores.Hosted hosted = HostedStores.at(file.toString(), () -> start(file));
    return new JobNote(hosted.server().port(), hosted.secret().orElseThrow());
  }

  private static HostedStores.Hosted start(Path file) {
    StoreSecret secret = StoreSecret.generate();
    TcpStoreServer server = TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(secret));
    try {
      new JobNote(server.port(), secret).leave(file);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw new BootstrapException("rank 0 cannot leave a note at " + file, Set.of(), e);
    }
    return new HostedStores.Hosted(server, Optional.of(secret));
  }

  /**
   * A note whose store answers. One that a killed job has left behind does not; rank 0 will replace
   * it, so it is read again.
   */
  private static JobNote find(Path file, int rank, int size, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Exception why;
      try {
        JobNote note = JobNote.read(file);
        connect(note, timeout.compareTo(TRIAL) < 0 ? timeout : TRIAL).close();
        return note;
      } catch (IOException | StoreException e) {
        why = e;
      }
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        throw new BootstrapException(
            "rank "
                + rank
                + " of "
                + size
                + " found no note of rank 0 at "
                + file
                + (why instanceof StoreException ? " that leads to a store" : "")
                + " within "
                + timeout.toMillis() / 1e3
                + " s",
            Set.of(0),
            why);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static TcpStore connect(JobNote note, Duration timeout) {
    return TcpStore.connect(
        "127.0.0.1",
        note.port(),
        TcpStoreOptions.defaults().timeout(timeout).secret(note.secret()));
  }

  /**
   * The launcher's process is the one thing that the ranks of a job on one host share, and no other
   * job has. A job that SLURM has put back in the queue keeps its number and counts its lives.
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
    String life = environment.getOrDefault("SLURM_RESTART_COUNT", "");
    return (id + (life.isEmpty() ? "" : "." + life)).replaceAll("[^A-Za-z0-9_.-]", "_") + parent;
  }
}
