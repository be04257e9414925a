package dev.jcomms.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every example, run as its first comment says, prints what its comments promise. */
final class ExamplesTest {
  private static final Path EXAMPLES = Path.of("..").toAbsolutePath().normalize();

  @Test
  void helloSumsOverAllRanks() throws Exception {
    assertThat(run("-n", "4", "01-hello/Hello.java"))
        .containsExactly("rank 0/4: 10.0", "rank 1/4: 10.0", "rank 2/4: 10.0", "rank 3/4: 10.0");
  }

  @Test
  void helloAloneIsAWorldOfOne() throws Exception {
    assertThat(run("01-hello/Hello.java")).containsExactly("rank 0/1: 1.0");
  }

  @Test
  void asyncOverlapsPipelinesAndWaits() throws Exception {
    List<String> lines = run("-n", "4", "02-async/Async.java");
    for (int rank = 0; rank < 4; rank++) {
      String who = "rank " + rank + "/4: ";
      assertThat(lines)
          .contains(who + "average 1.5, and 1.644 on the side")
          .contains(who + "buckets [-4.0, -8.0, -12.0]");
    }
    assertThat(lines)
        .contains("rank 0/4: the letter says 42.0")
        .anyMatch(line -> line.startsWith("rank 0/4: nothing yet: "))
        .hasSize(10);
  }

  @Test
  void splitMakesGroupsAndObjectsTravel() throws Exception {
    assertThat(run("-n", "4", "03-split-and-objects/SplitAndObjects.java"))
        .containsExactly(
            "rank 0/4: color 0, rank 1 of [2, 0]",
            "rank 0/4: in group [0, 1], sum of ranks 1.0",
            "rank 0/4: leads, with 2 in all",
            "rank 0/4: lr 0.25 for r0 r1 r2 r3",
            "rank 1/4: color 1, rank 1 of [3, 1]",
            "rank 1/4: in group [0, 1], sum of ranks 1.0",
            "rank 1/4: lr 0.25 for r0 r1 r2 r3",
            "rank 2/4: color 0, rank 0 of [2, 0]",
            "rank 2/4: in group [2, 3], sum of ranks 5.0",
            "rank 2/4: leads, with 2 in all",
            "rank 2/4: lr 0.25 for r0 r1 r2 r3",
            "rank 3/4: color 1, rank 0 of [3, 1]",
            "rank 3/4: in group [2, 3], sum of ranks 5.0",
            "rank 3/4: lr 0.25 for r0 r1 r2 r3");
  }

  @Test
  void oneJvmRecordsAndTellsErrors() throws Exception {
    List<String> lines = run("04-world-in-one-jvm/OneJvm.java");
    assertThat(lines)
        .contains(
            "bytes by rank: [440, 440, 440, 440]",
            "recorded: #0 barrier, 0 bytes, COMPLETED",
            "recorded: #1 all_reduce, 24 bytes, COMPLETED",
            "dumped: {\"version\":\"jcomms-1\",\"comm\":\"main\",\"rank\":0...",
            "rank 0: IllegalArgumentException: send: dst=8 is not a rank of comm 'main' (size 4)")
        .anyMatch(line -> line.matches("rank 1: CommMismatchException: ranks disagree.*1000.*"))
        .anyMatch(line -> line.matches("rank 0: CommTimeoutException: barrier #0 on .*0\\.300 s.*"))
        .anyMatch(line -> line.matches("rank 1: Comm.*Exception: barrier #0 on comm 'main'.*"));
  }

  @Test
  void aCustomBackendIsFoundAndItsGapsAreNamed() throws Exception {
    String app = "05-custom-backend/src/main/java/dev/jcomms/examples/zero/App.java";
    List<String> lines = run("-n", "4", app);
    for (int rank = 0; rank < 4; rank++) {
      String who = "rank " + rank + "/4: ";
      assertThat(lines)
          .contains(who + "all_reduce gives tensor([0., 0., 0., 0., 0., 0.])")
          .contains(who + "all_gather gives tensor([0., 0.])")
          .contains(who + "backend 'zero' has no broadcast; it has all_gather, all_reduce")
          .anyMatch(line -> line.startsWith(who) && line.endsWith("this is zero 1.0.0"));
    }
  }

  @Test
  void aProgramOfTheDslBecomesAPlan() throws Exception {
    assertThat(run("06-dsl/PacketAllReduce.java"))
        .containsExactly(
            "op 0: ppkt", "op 1: respkt", "op 2: nop", "op 3: upkt", "op 4: upkt", "op 5: upkt");
  }

  @Test
  void anAlgorithmOfOnesOwnIsSelectedBeItCompiledOrWrittenDown() throws Exception {
    String known = "bruck, customized, direct, flat, my_ring, ring, staged";
    for (String name : List.of("my_ring", "customized")) {
      List<String> words = new ArrayList<>(List.of("run", "-n", "3"));
      words.add(EXAMPLES.resolve("07-algorithms/Ring.java").toString());
      if (name.equals("customized")) {
        words.add(EXAMPLES.resolve("07-algorithms/native/CustomizedAllGather.java").toString());
      }
      Command.Result result = Command.jcomms(words.toArray(String[]::new));
      assertThat(result.status()).as("%s", result.lines()).isZero();
      for (int rank = 0; rank < 3; rank++) {
        String there = name.equals("my_ring") ? known.replace("customized, ", "") : known;
        assertThat(result.ofRanks())
            .contains("rank %d/3: %s gives tensor([0., 0., 1., 1., 2., 2.])".formatted(rank, name))
            .contains(
                "rank %d/3: hint algorithm=my_rong: all_gather has no algorithm 'my_rong'; there are %s"
                    .formatted(rank, there));
      }
    }
  }

  @Test
  void ranksTrainAsOneProcessDoes() throws Exception {
    Path svg = Files.createTempFile("loss", ".svg");
    Command.Result result =
        Command.jcomms(
            "run",
            "-n",
            "4",
            EXAMPLES.resolve("09-data-parallel/Train.java").toString(),
            "--svg",
            svg.toString());
    assertThat(result.status()).as("%s", result.lines()).isZero();
    List<String> lines = result.ofRanks();
    for (String model : List.of("mlp", "convnet")) {
      String who = "rank 0/4: " + model + ": ";
      assertThat(lines)
          .contains(who + "ranks end with equal bits: true")
          .contains(who + "  and its losses: true")
          .contains(who + "one process, the ranks' sums: bit for bit: true")
          .anyMatch(
              line ->
                  line.startsWith(who + "one process, whole batches: the same within 1e-6: true"))
          .anyMatch(line -> line.matches("\\Q" + who + "\\Eloss 1\\.\\d+ to 0\\.0\\d+"))
          .anyMatch(line -> line.matches("\\Q" + who + "\\E[▁▂▃▄▅▆▇█]{50}"));
    }
    assertThat(Files.readString(svg)).contains("<polyline", ">mlp<", ">convnet<");
    Files.delete(svg);
  }

  @Test
  void aDeviceOfOnesOwnTrainsAModelAsTheCpuDoes() throws Exception {
    List<String> lines = run("08-device/src/main/java/dev/jcomms/examples/tiny/App.java");
    assertThat(lines)
        .contains(
            "there: tensor([ 1., -2.,  3.], device='tiny:0')",
            "its own operator: tensor([ 0.9242, -1.5232,  1.8103], device='tiny:0')",
            "gradients of relu in its own way: 60",
            "on the cpu instead: [aten::nll_loss_backward, aten::nll_loss_forward, aten::tanh]")
        .anyMatch(line -> line.startsWith("refused: aten::add.Tensor: expected all tensors"));
    assertThat(lines)
        .filteredOn(line -> line.startsWith("step "))
        .hasSize(5)
        .allMatch(line -> line.matches("step +\\d+: loss (\\S+) on cpu, \\1 on tiny"));
  }

  @Test
  void noExampleIsForgotten() throws Exception {
    try (Stream<Path> folders = Files.list(EXAMPLES)) {
      assertThat(folders.map(folder -> folder.getFileName().toString()))
          .filteredOn(name -> name.matches("\\d.*"))
          .as("a new example needs a test here")
          .containsExactlyInAnyOrder(
              "01-hello",
              "02-async",
              "03-split-and-objects",
              "04-world-in-one-jvm",
              "05-custom-backend",
              "06-dsl",
              "07-algorithms",
              "08-device",
              "09-data-parallel");
    }
  }

  /** Runs the example that the last word names; what its ranks printed. */
  private static List<String> run(String... words) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(List.of(words).subList(0, words.length - 1));
    arguments.add(EXAMPLES.resolve(words[words.length - 1]).toString());
    Command.Result result = Command.jcomms(arguments.toArray(String[]::new));
    assertThat(result.status()).as("%s", result.lines()).isZero();
    return result.ofRanks();
  }
}
