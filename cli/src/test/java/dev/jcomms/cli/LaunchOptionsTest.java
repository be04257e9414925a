package dev.jcomms.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.cli.launch.LaunchSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class LaunchOptionsTest {
  @Test
  void defaultsAreOneRankOnThisHostAndAnyPort() {
    LaunchSpec spec = parse();
    assertThat(spec.ranks()).isEqualTo(1);
    assertThat(spec.nodes()).isEqualTo(1);
    assertThat(spec.masterAddress()).isEqualTo("127.0.0.1");
    assertThat(spec.masterPort()).isEmpty();
    assertThat(spec.maxRestarts()).isZero();
    assertThat(spec.role()).isEqualTo("default");
    assertThat(spec.runId()).isNotBlank();
    assertThat(spec.openStore()).isFalse();
  }

  @Test
  void everyOptionOfTorchrunThatWeHaveArrives() {
    LaunchSpec spec =
        parse(
            "-n",
            "4",
            "--nnodes",
            "2:2",
            "--node-rank",
            "1",
            "--master-addr",
            "10.0.0.1",
            "--master-port",
            "29500",
            "--rdzv-id",
            "job",
            "--role",
            "trainer",
            "--max-restarts",
            "3",
            "--log-dir",
            "logs",
            "-r",
            "1",
            "-t",
            "0:2",
            "--local-ranks-filter",
            "0,2",
            "--env",
            "A=b=c",
            "--env",
            "D=",
            "--shutdown-timeout",
            "2.5",
            "--rdzv-backend",
            "static",
            "--monitor-interval",
            "1",
            "--open-store");
    assertThat(spec.ranks()).isEqualTo(4);
    assertThat(spec.nodes()).isEqualTo(2);
    assertThat(spec.nodeRank()).isEqualTo(1);
    assertThat(spec.masterAddress()).isEqualTo("10.0.0.1");
    assertThat(spec.masterPort()).hasValue(29500);
    assertThat(spec.runId()).isEqualTo("job");
    assertThat(spec.role()).isEqualTo("trainer");
    assertThat(spec.maxRestarts()).isEqualTo(3);
    assertThat(spec.logs()).hasValue(Path.of("logs"));
    assertThat(spec.redirects().none()).isFalse();
    assertThat(spec.tee().none()).isFalse();
    assertThat(spec.shown()).isEqualTo(Set.of(0, 2));
    assertThat(spec.environment()).isEqualTo(Map.of("A", "b=c", "D", ""));
    assertThat(spec.shutdown()).hasValue(Duration.ofMillis(2500));
    assertThat(spec.openStore()).isTrue();
  }

  @Test
  void anEndpointIsAddressAndPort() {
    LaunchSpec spec = parse("--rdzv-endpoint", "node0:29400");
    assertThat(spec.masterAddress()).isEqualTo("node0");
    assertThat(spec.masterPort()).hasValue(29400);
  }

  @Test
  void ranksGetAnAddressWithoutTheBracketsThatKeepThePortApart() {
    LaunchSpec spec = parse("--rdzv-endpoint", "[::1]:29400");
    assertThat(spec.masterAddress()).isEqualTo("::1");
    assertThat(spec.masterPort()).hasValue(29400);
    assertThat(parse("--master-addr", "[fe80::1%eth0]").masterAddress()).isEqualTo("fe80::1%eth0");
    assertThat(parse("--master-addr", "::1").masterAddress()).isEqualTo("::1");
  }

  @Test
  void oneNodeMayTakeAnyFreePort() {
    assertThat(parse("--master-port", "0").masterPort()).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource({"auto", "cpu"})
  void oneRankAProcessor(String word) {
    assertThat(parse("--nproc-per-node", word).ranks())
        .isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @ParameterizedTest
  @CsvSource({
    "-n 0, --nproc-per-node=0",
    "-n -1, --nproc-per-node=-1",
    "-n gpu, --nproc-per-node=gpu",
    "--nnodes 0, --nnodes=0",
    "--nnodes 1:4, --nnodes=1:4: the number of nodes is fixed",
    "--node-rank 1, --node-rank=1 is not a node of --nnodes=1",
    "--nnodes 2, --nnodes=2 needs --master-addr",
    "--nnodes 2 --master-addr a, --nnodes=2 needs --master-port",
    "--nnodes 2 --rdzv-endpoint a:0 --node-rank 1, --master-port=0 is any free port",
    "--nnodes 2 --rdzv-endpoint a:0, --nnodes=2 needs one that all nodes know",
    "--nnodes 2 --standalone, --standalone is one node",
    "--master-port 70000, --master-port=70000",
    "--max-restarts -1, --max-restarts=-1",
    "--rdzv-endpoint nowhere, --rdzv-endpoint=nowhere",
    "-r 3, --log-dir",
    "-r 4 --log-dir x, --redirects=4",
    "-t 0:1;1:9 --log-dir x, --tee=0:1;1:9",
    "--shutdown-timeout -1, --shutdown-timeout=-1",
    "--shutdown-timeout NaN, --shutdown-timeout=NaN",
    "--run-id ../x, --run-id=../x",
    "--env =x, --env: no name",
    "-n 2 --local-ranks-filter 7, --local-ranks-filter=7 is not a local rank of 2",
  })
  void whatCannotBeIsNamed(String options, String message) {
    assertThatThrownBy(() -> parse(options.split(" ")))
        .isInstanceOfSatisfying(CliException.class, e -> assertThat(e.status()).isEqualTo(2))
        .hasMessageContaining(message);
  }

  private static LaunchSpec parse(String... args) {
    LaunchOptions options = new LaunchOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("x", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs(args);
    return options.checked();
  }
}
