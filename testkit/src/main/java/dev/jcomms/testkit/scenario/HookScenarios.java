package dev.jcomms.testkit.scenario;

import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.Hook;
import dev.jcomms.OpOptions;
import dev.jcomms.Registration;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Hooks: in order of registration, before and after every operation, failed ones too. */
final class HookScenarios {
  private static final Needs ANY = Needs.oneOf(Proof.KINDS);

  private HookScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
        new Scenario("hooks/are called in the order of registration", ANY, HookScenarios::order),
        new Scenario("hooks/see failed operations end", ANY.ranks(2), HookScenarios::failure),
        new Scenario("hooks/may refuse an operation", ANY, HookScenarios::refusal),
        new Scenario("hooks/hear of an abort", ANY, HookScenarios::abort));
  }

  /** Notes what it is told. */
  private record Log(String name, List<String> lines) implements Hook {
    @Override
    public void before(Call call) {
      lines.add(name + " before " + call.op().opName() + " #" + call.number());
    }

    @Override
    public void after(Call call, Optional<RuntimeException> failure) {
      lines.add(
          name
              + " after "
              + call.op().opName()
              + " #"
              + call.number()
              + failure.map(e -> " " + e.getClass().getSimpleName()).orElse(""));
    }

    @Override
    public void aborted(Comm comm, String reason) {
      lines.add(name + " aborted " + reason);
    }
  }

  private static void order(Rank rank) {
    List<String> lines = new CopyOnWriteArrayList<>();
    String op = Proof.kind(rank).map(dev.jcomms.Collective::nameOf).orElseThrow();
    try (Registration _ = rank.comm().addHook(new Log("a", lines))) {
      Registration second = rank.comm().addHook(new Log("b", lines));
      rank.comm().run(Proof.waiting(rank), OpOptions.DEFAULT);
      second.close();
      rank.comm().start(Proof.waiting(rank), OpOptions.DEFAULT).await(rank.patience());
    }
    rank.comm().run(Proof.waiting(rank), OpOptions.DEFAULT);
    Expect.equal(
        rank,
        "what hooks were told",
        List.of(
            "a before " + op + " #0",
            "b before " + op + " #0",
            "a after " + op + " #0",
            "b after " + op + " #0",
            "a before " + op + " #1",
            "a after " + op + " #1"),
        lines);
  }

  private static void failure(Rank rank) {
    List<String> lines = new CopyOnWriteArrayList<>();
    if (rank.number() != rank.size() - 1) {
      try (Registration _ = rank.comm().addHook(new Log("a", lines))) {
        CommException e =
            Expect.thrown(
                rank,
                "an operation without the last rank",
                CommException.class,
                () ->
                    rank.comm()
                        .run(Proof.waiting(rank), OpOptions.timeout(Duration.ofMillis(100))));
        String op = Proof.kind(rank).map(dev.jcomms.Collective::nameOf).orElseThrow();
        Expect.equal(
            rank,
            "what a hook was told of a failed operation",
            List.of(
                "a before " + op + " #0", "a after " + op + " #0 " + e.getClass().getSimpleName()),
            lines.stream().filter(line -> !line.contains("aborted")).toList());
      }
    }
    rank.meet();
  }

  private static void refusal(Rank rank) {
    Hook refuses =
        new Hook() {
          @Override
          public void before(Call call) {
            throw new IllegalStateException("not now");
          }
        };
    try (Registration _ = rank.comm().addHook(refuses)) {
      IllegalStateException e =
          Expect.thrown(
              rank,
              "an operation that a hook refuses",
              IllegalStateException.class,
              () -> rank.comm().run(Proof.waiting(rank), OpOptions.DEFAULT));
      Expect.says(rank, "an operation that a hook refuses", e, "not now");
    }
    Proof.works(rank, rank.comm(), "the comm after a hook has refused");
  }

  private static void abort(Rank rank) {
    List<String> lines = new CopyOnWriteArrayList<>();
    rank.comm().addHook(new Log("a", lines));
    rank.meet();
    rank.comm().abort("told");
    Expect.equal(rank, "what a hook was told", List.of("a aborted told"), lines);
    rank.comm().close();
  }
}
