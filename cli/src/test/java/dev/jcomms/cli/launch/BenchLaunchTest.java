package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code jcomms bench} as commands of their own: several nodes, and somebody else's launcher. */
final class BenchLaunchTest {
  private static final List<String> QUICK =
      List.of("--backend", "reference", "-b", "8", "-e", "8", "-w", "1", "--iters", "2");

  @TempDir private Path folder;

  @Test
  void jobsOfTwoNodesFollowEachOtherAtOneAddress() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Map<String, String> secret = Map.of("JCOMMS_SECRET", "a secret that both nodes know");
    List<String> words = new ArrayList<>(List.of("bench", "all_reduce", "--rounds", "3"));
    words.addAll(QUICK);
    words.addAll(List.of("-n", "1", "--nnodes", "2", "--rdzv-endpoint", "127.0.0.1:" + port));
    try (Launcher second = Launcher.start(folder, secret, node(words, 1));
        Launcher first = Launcher.start(folder, secret, node(words, 0))) {
      assertThat(first.status()).as("%s", first.lines()).isZero();
      assertThat(second.status()).as("%s", second.lines()).isZero();
      assertThat(first.lines())
          .anyMatch(line -> line.startsWith("out # all_reduce: 2 ranks (processes)"))
          .anyMatch(line -> line.contains("nothing but plain memory"))
          .contains("out # Out of bounds values : 0 OK");
      assertThat(second.lines()).noneMatch(line -> line.startsWith("out "));
    }
  }

  @Test
  void underAnotherLauncherItIsOneRankAndReportsItself() throws Exception {
    List<String> words = new ArrayList<>(List.of("bench", "all_gather", "--as-rank"));
    words.addAll(QUICK);
    words.addAll(List.of("--json", folder.resolve("results.json").toString()));
    Map<String, String> place = Map.of("RANK", "0", "WORLD_SIZE", "1");
    try (Launcher rank = Launcher.start(folder, place, words.toArray(String[]::new))) {
      assertThat(rank.status()).as("%s", rank.lines()).isZero();
      assertThat(rank.lines())
          .anyMatch(line -> line.startsWith("out # all_gather: 1 rank "))
          .contains("out # Out of bounds values : 0 OK");
      assertThat(folder.resolve("results.json")).content().contains("\"op\":\"all_gather\"");
    }
  }

  private static String[] node(List<String> words, int rank) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("--node-rank", "" + rank));
    return all.toArray(String[]::new);
  }
}
