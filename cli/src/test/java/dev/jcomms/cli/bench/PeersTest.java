package dev.jcomms.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jcomms.Codecs;
import dev.jcomms.cli.Cli;
import dev.jcomms.cli.bench.op.Operation;
import dev.jcomms.cli.bench.op.Operations;
import dev.jcomms.cli.bench.peer.Peer;
import dev.jcomms.cli.bench.peer.Peers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the real libraries, where they are installed. */
@Timeout(600)
final class PeersTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"openmpi", "gloo"})
  void everyOperationHasAPeerBesideItAtEverySize(String peer) throws Exception {
    installed(peer);
    Path json = folder.resolve("results.json");
    Cli.Result result =
        Cli.run(
            ("bench all --backend reference -n 2 -b 8 -e 1K -f 16 -w 1 --iters 3 --rounds 1"
                    + " --no-limit --against %s --json %s")
                .formatted(peer, json)
                .split(" "));
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("ours/" + peer).doesNotContain("# note");
    TreeSet<String> seen = new TreeSet<>();
    for (Object one : results(json)) {
      Map<?, ?> entry = (Map<?, ?>) one;
      Map<?, ?> theirs = (Map<?, ?>) ((Map<?, ?>) entry.get("peers")).get(peer);
      assertThat(theirs).as(entry.toString()).isNotNull();
      assertThat((Double) ((Map<?, ?>) theirs.get("time_us")).get("avg")).isPositive();
      assertThat(theirs.get("iterations")).isEqualTo(3L);
      seen.add((String) entry.get("op"));
    }
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            Operations.all().stream().map(Operation::opName).toList());
  }

  @Test
  void whatAPeerCannotDoIsLeftOutWithANote() throws Exception {
    installed("openmpi");
    Cli.Result result =
        Cli.run(
            ("bench all_reduce --backend reference -n 2 -b 8 -e 8 -w 1 --iters 2 --rounds 1"
                    + " --no-limit --dtype bf16 --against openmpi")
                .split(" "));
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("# note: openmpi is left out: it cannot reduce bf16")
        .doesNotContain("ours/openmpi");
  }

  /** Skips the test, and says why, where the peer is missing. */
  private static void installed(String name) {
    Peer peer = Peers.of(name);
    try {
      System.out.println(name + " " + peer.prepare(System.getenv()));
    } catch (Peer.Missing e) {
      System.out.println(name + " is not tested: " + e.getMessage());
      assumeThat(e.getMessage()).as(name + " is not there").isEmpty();
    }
  }

  private static List<?> results(Path json) throws Exception {
    Map<?, ?> document = (Map<?, ?>) Codecs.JSON.decode(Files.readAllBytes(json));
    return (List<?>) document.get("results");
  }
}
