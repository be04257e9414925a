package dev.jcomms.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Codecs;
import dev.jcomms.ReduceOp;
import dev.jcomms.World;
import dev.jcomms.cli.Cli;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TraceCommandTest {
  @TempDir private Path folder;

  @Test
  void realRecordsOfAllRanksBecomeOneTrace() throws Exception {
    World.of(3)
        .backend("reference")
        .run(
            comm -> {
              comm.allReduce(Tensor.ones(Shape.of(10)), ReduceOp.SUM);
              comm.barrier();
              comm.flightRecorder().dump(folder.resolve("rank" + comm.rank() + ".json"));
            });
    Path output = folder.resolve("trace");
    Cli.Result result = Cli.run("trace", folder.toString(), "-o", output.toString());
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("comm 'main' (reference 1.0.0, size 3)", "rank 2: completed barrier #1")
        .contains("all these ranks completed the same collectives", "trace of 6 operations");
    List<Map<?, ?>> events = events(output);
    assertThat(events).filteredOn(event -> event.get("ph").equals("X")).hasSize(6);
    assertThat(events)
        .filteredOn(event -> event.get("name").equals("all_reduce"))
        .allSatisfy(
            event -> {
              assertThat((Double) event.get("dur")).isPositive();
              assertThat(event.get("args").toString()).contains("bytes=40", "dtype=f32");
            })
        .extracting(event -> (Object) event.get("tid"))
        .containsExactlyInAnyOrder(0L, 1L, 2L);
  }

  @Test
  void theRankThatDidNotComeFellBehind() throws Exception {
    dump(0, 3, entry(0, "all_reduce", 4, "completed"), entry(1, "barrier", 0, "failed"));
    dump(1, 3, entry(0, "all_reduce", 4, "completed"), entry(1, "barrier", 0, "started"));
    dump(2, 3, entry(0, "all_reduce", 4, "completed"));
    assertThat(verdict())
        .contains(
            "  rank 1: completed all_reduce #0; barrier #1 started for 1.000 s",
            "  ranks part at barrier #1: ranks 0, 1 came but did not complete it, rank 2 did not"
                + " call it",
            "  fell behind: rank 2");
  }

  @Test
  void aRingThatLostHalfOfATurnIsComparedFromTheNextOne() throws Exception {
    String last = entry(4, "barrier", 0, "completed");
    dump(0, 2, entry(3, "broadcast", 5, "completed"), last);
    dump(1, 2, entry(3, "broadcast", 8, "completed"), entry(3, "broadcast", 5, "completed"), last);
    assertThat(verdict())
        .contains("  all these ranks completed the same collectives")
        .noneMatch(line -> line.contains("disagree"));
  }

  @Test
  void aRankWithoutARecordIsNamed() throws Exception {
    dump(0, 4, entry(0, "barrier", 0, "started"));
    dump(1, 4, entry(0, "barrier", 0, "started"));
    assertThat(verdict()).contains("  no record of ranks 2, 3", "  fell behind: ranks 2, 3");
  }

  @Test
  void differentCallsAreShownWithWhoMadeThem() throws Exception {
    dump(0, 3, entry(0, "all_reduce", 4096, "failed"));
    dump(1, 3, entry(0, "all_reduce", 4000, "failed"));
    dump(2, 3, entry(0, "all_reduce", 4096, "failed"));
    assertThat(verdict())
        .contains(
            "  ranks disagree on #0: ranks 0, 2 called all_reduce of 4096 bytes f32; rank 1 called"
                + " all_reduce of 4000 bytes f32");
  }

  @Test
  void sendsAndReceivesDoNotShiftTheComparison() throws Exception {
    dump(0, 2, entry(0, "send", 8, "completed"), entry(1, "barrier", 0, "completed"));
    dump(1, 2, entry(0, "barrier", 0, "completed"));
    assertThat(verdict()).contains("  all these ranks completed the same collectives");
  }

  @Test
  void recordsThatLostTheirBeginningAreComparedFromWhereAllHaveThem() throws Exception {
    dump(0, 2, entry(7, "barrier", 0, "completed"), entry(8, "reduce", 4, "completed"));
    dump(1, 2, entry(8, "reduce", 4, "completed"));
    assertThat(verdict()).contains("  all these ranks completed the same collectives");
    dump(0, 2, entry(7, "send", 0, "completed"), entry(8, "reduce", 4, "completed"));
    assertThat(verdict()).anyMatch(line -> line.contains("ranks cannot be compared"));
  }

  @Test
  void operationsAtOnceGoToThreadsOfTheirOwn() throws Exception {
    dump(0, 1, entry(0, "barrier", 0, "started"), entry(1, "barrier", 0, "started"));
    Path output = folder.resolve("trace");
    Cli.run("trace", folder.toString(), "-o", output.toString());
    assertThat(events(output))
        .filteredOn(event -> event.get("ph").equals("X"))
        .extracting(event -> (Object) event.get("tid"))
        .containsExactly(0L, 1L);
  }

  @Test
  void aBadFileIsNamedWithThePositionAndTheOthersAreUsed() throws Exception {
    dump(0, 1, entry(0, "barrier", 0, "completed"));
    String good = Files.readString(folder.resolve("0.json"));
    Files.writeString(folder.resolve("cut.json"), good.substring(0, 60));
    Files.writeString(folder.resolve("other.json"), "{\"version\":\"2.1\"}");
    Files.writeString(folder.resolve("rank.json"), good.replace("\"rank\":0", "\"rank\":5"));
    Files.writeString(folder.resolve("op.json"), good.replace("\"barrier\"", "17"));
    Cli.Result result = Cli.run("trace", folder.toString(), folder + "/none.json");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err())
        .contains("cut.json: JSON: expected", "at position 60, found the end")
        .contains("other.json: version=2.1 is not jcomms-1")
        .contains("rank.json: rank=5; a flight record has a whole number from 0 to 0 there")
        .contains("op.json: entries[0].op=17; a flight record has text there")
        .contains("none.json: no such file");
    assertThat(result.out()).contains("rank 0: completed barrier #0");
  }

  @Test
  void whatATerminalWouldObeyIsShownAsText() throws Exception {
    dump(0, 1, entry(0, "\\u001b[2Jevil", 0, "started"));
    assertThat(verdict()).anyMatch(line -> line.contains("\\x1b[2Jevil"));
    assertThat(String.join("", verdict())).doesNotContain("\033");
  }

  @Test
  void anAbsurdSizeIsRefused() throws Exception {
    dump(0, Integer.MAX_VALUE, entry(0, "barrier", 0, "started"));
    Cli.Result result = Cli.run("trace", folder.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("size=2147483647; a flight record has a whole number from 1");
  }

  @Test
  void nothingGoodIsAFailure() throws Exception {
    Files.writeString(folder.resolve("bad.json"), "");
    Cli.Result result = Cli.run("trace", folder.toString(), "-o", folder + "/trace");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("no flight record among");
    assertThat(folder.resolve("trace")).doesNotExist();
  }

  private List<String> verdict() {
    Cli.Result result = Cli.run("trace", folder.toString());
    assertThat(result.status()).as(result.err()).isZero();
    return result.out().lines().toList();
  }

  /** Operation i of a record was created at second i and, if it ended, did so a second later. */
  private static String entry(int number, String op, long bytes, String state) {
    long second = 1_000_000_000L;
    boolean ended = state.equals("completed") || state.equals("failed");
    return ("{\"number\":%d,\"op\":\"%s\",\"bytes\":%d,\"dtype\":%s,\"state\":\"%s\","
            + "\"created_ns\":%d,\"started_ns\":%d,\"ended_ns\":%s,\"failure\":%s}")
        .formatted(
            number,
            op,
            bytes,
            bytes == 0 ? "null" : "\"f32\"",
            state,
            number * second,
            number * second,
            ended ? (number + 1) * second : "null",
            state.equals("failed") ? "\"x.Failure: why\"" : "null");
  }

  private void dump(int rank, int size, String... entries) throws IOException {
    Files.writeString(
        folder.resolve(rank + ".json"),
        ("{\"version\":\"jcomms-1\",\"comm\":\"main\",\"rank\":%d,\"size\":%d,\"ranks\":[],"
                + "\"backend\":\"fake\",\"pid\":1,\"dumped_ns\":%d,\"entries\":[%s]}")
            .formatted(rank, size, entries.length * 1_000_000_000L, String.join(",", entries)));
  }

  private static List<Map<?, ?>> events(Path trace) throws IOException {
    Map<?, ?> document = (Map<?, ?>) Codecs.JSON.decode(Files.readAllBytes(trace));
    return ((List<?>) document.get("traceEvents"))
        .stream().<Map<?, ?>>map(event -> (Map<?, ?>) event).toList();
  }
}
