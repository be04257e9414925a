package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** From opening to closing. */
final class LifecycleScenarios {
  private static final Needs ANY = Needs.oneOf(Proof.KINDS);

  private LifecycleScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
        new Scenario("comm/says what it is", Needs.NOTHING, LifecycleScenarios::facts),
        new Scenario("comm/closing is idempotent", ANY, LifecycleScenarios::closeTwice),
        new Scenario("comm/refuses every call once closed", ANY, LifecycleScenarios::afterClose),
        new Scenario("comm/closing waits for pending work", ANY, LifecycleScenarios::drains),
        new Scenario(
            "comm/a rank may leave right after its last operation", ANY, LifecycleScenarios::leave),
        new Scenario("comm/takes hints and timeouts", ANY, LifecycleScenarios::options),
        new Scenario(
            "comm/twenty in a row leave nothing that disturbs the next",
            ANY,
            LifecycleScenarios::manyComms));
  }

  private static List<Integer> everybody(Rank rank) {
    return IntStream.range(0, rank.size()).boxed().toList();
  }

  private static void facts(Rank rank) {
    Comm comm = rank.comm();
    Expect.equal(rank, "name()", "main", comm.name());
    Expect.equal(rank, "ranks()", everybody(rank), comm.ranks());
    Expect.equal(rank, "device()", rank.subject().device(), comm.device());
    Expect.equal(rank, "isAborted()", false, comm.isAborted());
    Expect.equal(
        rank, "backends()", comm.backend(), comm.backends().get(rank.subject().device().type()));
    Expect.that(
        rank,
        comm.backend().version().matches("\\d+(\\.\\d+)*.*"),
        "version " + comm.backend().version() + " does not begin with numbers");
    List<String> ranks = rank.exchange(comm.rank() + "/" + comm.size());
    for (int r = 0; r < ranks.size(); r++) {
      Expect.equal(rank, "what rank " + r + " says it is", r + "/" + rank.size(), ranks.get(r));
    }
  }

  private static void closeTwice(Rank rank) {
    Proof.works(rank, rank.comm(), "a comm to be closed");
    rank.meet();
    rank.comm().close();
    rank.comm().close();
  }

  private static void afterClose(Rank rank) {
    Comm comm = rank.comm();
    Collective op = Proof.waiting(rank);
    rank.meet();
    comm.close();
    List<Runnable> calls =
        List.of(
            () -> comm.run(op, OpOptions.DEFAULT),
            () -> comm.start(op, OpOptions.DEFAULT),
            () -> comm.monitoredBarrier(Duration.ofSeconds(1)),
            () -> comm.split(everybody(rank)),
            () -> comm.split(0, 0),
            comm::batch,
            comm::newWindow,
            () -> comm.capture(() -> {}),
            () -> comm.timeout(Duration.ofSeconds(1)),
            () -> comm.abort("late"),
            comm::initHandle);
    for (int i = 0; i < calls.size(); i++) {
      IllegalStateException e =
          Expect.thrown(
              rank, "call " + i + " after close", IllegalStateException.class, calls.get(i));
      Expect.says(rank, "call " + i + " after close", e, comm.name());
    }
    Expect.equal(rank, "rank() after close", rank.number(), comm.rank());
  }

  private static void drains(Rank rank) {
    Comm comm = rank.comm().split(everybody(rank)).orElseThrow();
    List<Work> works =
        IntStream.range(0, 5)
            .mapToObj(_ -> comm.start(Proof.waiting(rank), OpOptions.DEFAULT))
            .toList();
    comm.close();
    for (int i = 0; i < works.size(); i++) {
      Expect.equal(
          rank,
          "status of work " + i + " after close",
          Work.Status.COMPLETED,
          works.get(i).status());
    }
  }

  /** No meeting before the close: whoever is done goes, and the others lose nothing by it. */
  private static void leave(Rank rank) {
    for (int i = 0; i < 5; i++) {
      try (Comm comm = rank.comm().split(everybody(rank)).orElseThrow()) {
        Proof.works(rank, comm, "a comm that ranks leave as they like");
      }
    }
  }

  private static void options(Rank rank) {
    OpOptions options =
        OpOptions.timeout(Duration.ofSeconds(600)).withHint("hint_key", "hint_value");
    rank.comm().run(Proof.waiting(rank), options);
    rank.comm().start(Proof.waiting(rank), options).await(rank.patience());
    Expect.thrown(
        rank,
        "a timeout of zero",
        IllegalArgumentException.class,
        () -> OpOptions.timeout(Duration.ZERO));
  }

  private static void manyComms(Rank rank) {
    for (int i = 0; i < 20; i++) {
      List<Integer> group = i % 2 == 0 ? everybody(rank) : everybody(rank).reversed();
      Comm comm = rank.comm().split(group).orElseThrow();
      Proof.works(rank, comm, "comm " + i + " of 20");
      comm.close();
    }
  }
}
