package dev.jcomms.jccl.internal.algo.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningRule.Row;
import dev.jcomms.jccl.TuningTable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the shipped table has ranks take that are reached by TCP. */
final class MenusTest {
  private static final List<Menu<?>> MENUS =
      List.of(
          Menus.ALL_REDUCE,
          Menus.BROADCAST,
          Menus.REDUCE,
          Menus.ALL_GATHER,
          Menus.REDUCE_SCATTER,
          Menus.ALL_TO_ALL,
          Menus.GATHER,
          Menus.SCATTER,
          Menus.BARRIER);

  @Test
  void nothingIsForgotten() {
    for (Menu<?> menu : MENUS) {
      TreeSet<String> listed = new TreeSet<>();
      AlgorithmCollection.defaults().of(menu.collective()).stream()
          .filter(algorithm -> algorithm.tags().containsKey("tcp"))
          .forEach(algorithm -> listed.add(algorithm.name()));
      assertThat(menu.names()).as(menu.collective()).isEqualTo(listed);
    }
  }

  /** Rules as they were measured: {@code most bytes/most ranks:algorithm}, * for any. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all_reduce | 16384/*:recursive_doubling 262144/2:exchange */32:direct"
            + " 1048576/*:recursive_halving */*:ring",
        "broadcast | 16384/*:knomial */3:chain 262144/*:binomial */32:scatter_all_gather */*:chain",
        "reduce | 16384/*:knomial */3:chain 262144/*:binomial */32:direct */*:chain",
        "all_gather | 32768/*:bruck */32:direct */*:ring",
        "reduce_scatter | */32:direct */*:ring",
        "all_to_all | 16384/*:bruck */32:direct */*:pairwise",
        "gather | 32768/*:binomial */*:linear",
        "scatter | 32768/*:binomial */*:linear",
        "barrier | */*:dissemination",
      })
  void theRulesAreThoseThatWereMeasured(String collective, String rules) {
    Menu<?> menu =
        MENUS.stream().filter(m -> m.collective().equals(collective)).findFirst().orElseThrow();
    assertThat(String.join(" ", menu.rules().stream().map(MenusTest::text).toList()))
        .isEqualTo(rules);
  }

  private static String text(Menu.Rule<?> rule) {
    return "%s/%s:%s"
        .formatted(
            rule.bytes() == Long.MAX_VALUE ? "*" : rule.bytes(),
            rule.ranks() == Integer.MAX_VALUE ? "*" : rule.ranks(),
            rule.algorithm().name());
  }

  @Test
  void hostsOfSeveralRanksTakeTwoLevelsOrWhatTcpTakes() {
    List<String> levels = List.of("all_reduce", "reduce", "broadcast", "barrier");
    for (Menu<?> menu : MENUS) {
      List<Row> rows =
          new ArrayList<>(TuningTable.defaults().rows(Transport.TCP, menu.collective()));
      if (levels.contains(menu.collective())) {
        rows.addFirst(Row.of(Choice.of("two_level")));
      }
      assertThat(TuningTable.defaults().rows(Transport.MIXED, menu.collective())).isEqualTo(rows);
    }
  }

  @Test
  void rowsThatNoMenuCanFollowAreAnError() {
    Row ring = Row.of(Choice.of("ring"));
    Row warp = Row.of(Choice.of("warp"));
    assertThatThrownBy(() -> Menu.of("all_reduce", List.of(warp, ring), Menus.ALL_REDUCE.all()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("warp");
    assertThatThrownBy(() -> Menu.of("all_reduce", List.of(), Menus.ALL_REDUCE.all()))
        .hasMessage("all_reduce has no algorithm for all the rest");
  }
}
