package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks call different things: all are told who has what, and no process ends for it. */
final class DisagreementTest {
  private static final int ODD = 2;

  /** What each case's error says of the odd rank, and of another. */
  private static final Map<String, List<String>> FACTS =
      Map.ofEntries(
          Map.entry("size", List.of("2000 x f32", "1000 x f32")),
          Map.entry("large size", List.of("1048576 x f32", "1048575 x f32")),
          Map.entry("dtype", List.of("1000 x i32", "1000 x f32")),
          Map.entry("reduce op", List.of("max", "sum")),
          Map.entry("sizes", List.of("sizes [2, 5, 0] x f32", "sizes [1, 5, 0] x f32")),
          Map.entry("root", List.of("root 1", "root 0")),
          Map.entry("kind", List.of("broadcast", "all_reduce")),
          Map.entry("order", List.of("all_reduce", "barrier")),
          Map.entry("symmetric", List.of("symmetric", "all_reduce")),
          Map.entry("split", List.of("split", "all_reduce")),
          Map.entry("monitored barrier", List.of("all_reduce", "monitored_barrier")),
          Map.entry("split or barrier", List.of("split", "monitored_barrier")),
          Map.entry("window", List.of("window register", "all_reduce")),
          Map.entry("window or split", List.of("window register", "split")),
          Map.entry("window or barrier", List.of("monitored_barrier", "window register")),
          Map.entry("fence", List.of("window deregister", "window fence")));

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "two-level"})
  void ranksThatDisagreeAreToldWhoHasWhatAndGoOn(String transport) throws Exception {
    try (Group group = Group.of(3, transport).start("disagree")) {
      for (String what : FACTS.keySet()) {
        List<Report> reports = group.reports(what, -1);
        long slowest = reports.stream().mapToLong(Report::millis).max().orElseThrow();
        System.out.println("reliability: 9-12 " + transport + " " + what + ": " + slowest + " ms");
        assertThat(reports)
            // Whoever had all it needs of a root that it agreed on need not have noticed.
            .filteredOn(report -> !what.equals("root") || report.rank() != 1 || !report.ok())
            .allSatisfy(
                report -> {
                  assertThat(report.outcome()).as("%s", report).isEqualTo("CommMismatchException");
                  assertThat(report.message())
                      .as("%s", report)
                      .contains(FACTS.get(what))
                      .contains("rank " + ODD + " has ");
                });
        assertThat(slowest).as(what).isLessThan(Group.SOON.toMillis());
      }
      Report receiver = group.rank(ODD).report("message");
      assertThat(receiver.outcome()).as("%s", receiver).isEqualTo("CommMismatchException");
      assertThat(receiver.message()).contains("10 x f32", "11 x f32");
      assertThat(receiver.millis()).isLessThan(Group.SOON.toMillis());
      assertThat(group.reports("after all that", -1)).allMatch(Report::ok);
      group.finish();
    }
  }

  /**
   * What ranks compare travels with the data: in the header of each message over TCP (48 bytes, two
   * words of them the facts), in the note that announces the data in shared memory. So an agreement
   * costs two comparisons for each message or meeting, and no message or round trip of its own: a
   * hundred tiny all-reduces of two ranks are a hundred messages each way.
   */
  @Test
  void agreeingCostsNoMessage() throws Exception {
    int times = 100;
    long handshake = StrangerTest.HELLO_BYTES + StrangerTest.PROOF_BYTES;
    try (Network network = new Network();
        Group group = Group.of(2, "tcp").through(network).property("times", times).start("tiny")) {
      int port = Integer.parseInt(group.rank(0).await("ROUTE").split(" ")[1]);
      group.awaitReady();
      assertThat(network.inFrontOf(port).passed())
          .contains(handshake + times * (48L + Float.BYTES));
      group.finish();
    }
  }
}
