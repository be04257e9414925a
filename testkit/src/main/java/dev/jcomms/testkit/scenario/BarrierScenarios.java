package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Barriers: nobody leaves before everybody came. */
final class BarrierScenarios {
  private static final Duration WHILE = Duration.ofMillis(25);

  private BarrierScenarios() {}

  static Stream<Scenario> all() {
    Needs barrier = Needs.ops(Collective.Barrier.class);
    return Stream.of(
        new Scenario(
            "barrier/nobody leaves before everybody came", barrier, BarrierScenarios::nobodyEarly),
        new Scenario(
            "barrier/many in a row keep the ranks together", barrier, BarrierScenarios::inStep),
        new Scenario(
            "barrier/async ones end in order, and leave none behind",
            barrier,
            BarrierScenarios::async),
        new Scenario(
            "monitored_barrier/passes when all come",
            Needs.NOTHING,
            rank -> {
              for (int i = 0; i < 3; i++) {
                rank.comm().monitoredBarrier(rank.patience());
              }
            }),
        new Scenario(
            "monitored_barrier/names the ranks that do not come",
            Needs.NOTHING.ranks(2),
            BarrierScenarios::missing));
  }

  /** Each rank in turn stays away, until it has seen that the others are in and none has left. */
  private static void nobodyEarly(Rank rank) {
    int others = rank.size() - 1;
    for (int late = 0; late < rank.size(); late++) {
      String entered = "entered/" + late;
      String left = "left/" + late;
      if (rank.number() != late) {
        rank.store().add(entered, 1);
        call(rank, late);
        rank.store().set(left, ("" + rank.number()).getBytes());
      } else {
        while (rank.store().add(entered, 0) < others) {
          Thread.onSpinWait();
        }
        try {
          rank.store().await(List.of(left), WHILE);
          throw new ConformanceError(
              "rank "
                  + new String(rank.store().get(left))
                  + " of "
                  + rank.size()
                  + " has left barrier #"
                  + late
                  + " before rank "
                  + late
                  + " came");
        } catch (StoreTimeoutException nobodyHasLeft) {
          call(rank, late);
        }
      }
    }
  }

  private static void call(Rank rank, int turn) {
    if ((turn + rank.number()) % 2 == 0) {
      rank.comm().barrier();
    } else {
      rank.comm().barrierAsync().await(rank.patience());
    }
  }

  private static void inStep(Rank rank) {
    for (int i = 0; i < 20; i++) {
      rank.store().add("came/" + i, 1);
      rank.comm().barrier();
      long came = rank.store().add("came/" + i, 0);
      Expect.equal(
          rank, "the number of ranks at barrier #" + i + " after it", (long) rank.size(), came);
    }
  }

  private static void async(Rank rank) {
    List<dev.jcomms.Work> works = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      works.add(rank.comm().barrierAsync(OpOptions.timeout(rank.patience())));
    }
    works.getLast().await(rank.patience());
    for (int i = 0; i < works.size(); i++) {
      works.get(i).await(rank.patience());
      Expect.equal(
          rank, "status of barrier #" + i, dev.jcomms.Work.Status.COMPLETED, works.get(i).status());
    }
  }

  private static void missing(Rank rank) {
    int absent = rank.size() - 1;
    // Those who come have to find each other in time, also on a machine that stands still
    // meanwhile.
    Duration soon = Duration.ofMillis(rank.size() == 2 ? 200 : 2000);
    rank.meet();
    if (rank.number() != absent) {
      CommTimeoutException e =
          Expect.thrown(
              rank,
              "monitored_barrier without rank " + absent,
              CommTimeoutException.class,
              () -> rank.comm().monitoredBarrier(soon));
      Expect.equal(rank, "missing ranks", Set.of(absent), e.missingRanks());
      Expect.says(rank, "monitored_barrier", e, "monitored_barrier #0", "" + absent);
    }
    rank.meet();
    if (rank.number() == absent) {
      Expect.thrown(
          rank,
          "monitored_barrier that the others have given up",
          CommTimeoutException.class,
          () -> rank.comm().monitoredBarrier(soon));
    }
    // It only tells: the communicator is as good as before.
    Proof.works(rank, rank.comm(), "the comm after a monitored barrier failed");
  }
}
