package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank lives but does not come: the deadline's error names it, in every operation. */
@ExtendWith(StolenTime.class)
final class AbsenceTest {
  private static final Set<String> OUTCOMES =
      Set.of("CommTimeoutException", "CommAbortedException");

  private static final int ABSENT = 2;

  /** Every rank needs every other. */
  private static final List<String> OF_ALL =
      List.of("all_reduce", "large all_reduce", "all_gather", "reduce_scatter", "all_to_all");

  /** Every rank needs the one that is absent. */
  private static final List<String> FROM_ABSENT =
      List.of("barrier", "monitored_barrier", "broadcast", "scatter", "recv", "send");

  /** Rank 0 needs it; the others need not notice. */
  private static final List<String> TO_ROOT = List.of("reduce", "gather");

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "two-level"})
  void theDeadlinesErrorNamesTheAbsentRank(String transport) throws Exception {
    try (Group group = Group.of(4, transport).victim(ABSENT).start("absent")) {
      group.awaitReady();
      List<String> wrong = new ArrayList<>();
      for (String op : OF_ALL) {
        judge(group.reports(op, ABSENT), wrong);
      }
      for (String op : FROM_ABSENT) {
        judge(group.reports(op, ABSENT), wrong);
      }
      for (String op : TO_ROOT) {
        judge(List.of(group.rank(0).report(op)), wrong);
        judge(group.reports(op, ABSENT).stream().filter(r -> !r.ok()).toList(), wrong);
      }
      assertThat(wrong).isEmpty();
      group.finish();
    }
  }

  private static void judge(List<Report> reports, List<String> wrong) {
    for (Report report : reports) {
      boolean named = report.missing().contains(ABSENT);
      // Who came later than others is told that they have given up.
      if (!OUTCOMES.contains(report.outcome()) || !named) {
        wrong.add(report.toString());
      }
    }
  }
}
