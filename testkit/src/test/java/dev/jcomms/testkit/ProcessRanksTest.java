package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.TcpStoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same scenarios between processes: three JVMs that meet at a store of this one. */
final class ProcessRanksTest {
  private static final int SIZE = 3;

  @TempDir private Path folder;

  private record Ended(int status, String output) {}

  private List<Ended> check(String backend, String pattern) throws Exception {
    List<Process> processes = new ArrayList<>();
    try (TcpStoreServer server = TcpStoreServer.start()) {
      for (int r = 0; r < SIZE; r++) {
        processes.add(start(server, r, backend, pattern));
      }
      List<Ended> ended = new ArrayList<>();
      for (int r = 0; r < SIZE; r++) {
        assertThat(processes.get(r).waitFor(90, TimeUnit.SECONDS)).as("rank %s ends", r).isTrue();
        ended.add(new Ended(processes.get(r).exitValue(), Files.readString(log(r))));
      }
      return ended;
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private Path log(int rank) {
    return folder.resolve("rank" + rank);
  }

  private Process start(TcpStoreServer server, int rank, String backend, String pattern)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-p",
            System.getProperty("jdk.module.path"),
            "-m",
            "dev.jcomms.testkit/dev.jcomms.testkit.ConformanceRank",
            backend,
            "quick",
            pattern);
    builder
        .environment()
        .putAll(
            Map.of(
                "RANK", "" + rank,
                "WORLD_SIZE", "" + SIZE,
                "MASTER_ADDR", "127.0.0.1",
                "MASTER_PORT", "" + server.port(),
                "TORCHELASTIC_USE_AGENT_STORE", "True"));
    return builder.redirectErrorStream(true).redirectOutput(log(rank).toFile()).start();
  }

  @Test
  void theReferenceWorksBetweenProcesses() throws Exception {
    List<Ended> ranks = check("reference", "*i64*");
    assertThat(ranks).allSatisfy(rank -> assertThat(rank.status()).as(rank.output()).isZero());
    assertThat(ranks.getFirst().output()).contains("0 of ");
  }

  /** The fake moves nothing: every process says so, not only the one that looks first. */
  @Test
  void whatIsWrongOnOneRankIsToldOnAll() throws Exception {
    List<Ended> ranks = check("fake", "broadcast/moves f32");
    assertThat(ranks).extracting(Ended::status).containsOnly(1);
    assertThat(ranks.getFirst().output())
        .contains("failed  broadcast/moves f32 [n=3]: rank ")
        .contains("as it was before the call", "should be", "1 of 1 failed");
  }
}
