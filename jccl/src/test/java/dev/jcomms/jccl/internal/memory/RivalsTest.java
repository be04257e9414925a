package dev.jcomms.jccl.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

final class RivalsTest {
  private static final int ROW = 5;
  private static final int ROUND = 3 * ROW;
  private static final int SETTLED = 3 * ROUND;

  private final Rivals rivals = new Rivals(3, ROW);

  /** Takes turns, each as long as its way takes. */
  private List<Integer> play(int turns, IntToLongFunction nanos) {
    List<Integer> ways = new ArrayList<>();
    for (int i = 0; i < turns; i++) {
      long turn = rivals.turn();
      int way = rivals.way(turn);
      ways.add(way);
      rivals.took(turn, nanos.applyAsLong(way), 10);
    }
    return ways;
  }

  @Test
  void allAreTakenInRowsAtFirst() {
    assertThat(play(SETTLED, _ -> 1))
        .startsWith(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2)
        .endsWith(2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1);
  }

  @Test
  void theFastestHasTheTurnsThatFollow() {
    assertThat(play(SETTLED, way -> way == 1 ? 70 : 80)).contains(0, 1, 2);
    assertThat(play(10 * ROUND, way -> way == 1 ? 70 : 80)).containsOnly(1);
  }

  @Test
  void onlyTheLastOfARowCount() {
    List<Boolean> counts = new ArrayList<>();
    for (int i = 0; i < ROUND; i++) {
      counts.add(rivals.counts(rivals.turn()));
    }
    assertThat(counts.subList(0, ROW)).containsExactly(false, false, true, true, true);
    assertThat(counts.subList(ROW, 2 * ROW)).isEqualTo(counts.subList(0, ROW));
    play(2 * ROUND + ROUND, _ -> 1);
    assertThat(rivals.counts(rivals.turn())).as("a usual turn").isFalse();
  }

  @Test
  void aThreadThatLosesItsProcessorSaysNothingOfTheWay() {
    int[] taken = new int[3];
    play(SETTLED, way -> way == 2 ? taken[2]++ % 4 == 3 ? 1_000_000 : 50 : 80);
    play(ROUND, way -> way == 2 ? 50 : 80);
    assertThat(play(100, _ -> 1)).containsOnly(2);
  }

  @Test
  void whatBecomesFasterIsTakenAfterAWhile() {
    play(SETTLED, way -> way == 0 ? 50 : 80);
    assertThat(play(5 * 64 * ROUND, way -> way == 1 ? 20 : 90).getLast()).isEqualTo(1);
  }

  @Test
  void thatIsRarelyTriedLater() {
    play(SETTLED, way -> way == 0 ? 50 : 80);
    List<Integer> ways = play(64 * ROUND, way -> way == 0 ? 50 : 80);
    assertThat(ways).filteredOn(way -> way != 0).hasSize(2 * ROW);
  }

  /** Long and short work of one kind are compared by what a unit takes. */
  @Test
  void timesAreThoseOfAUnit() {
    for (int i = 0; i < SETTLED + ROUND; i++) {
      long turn = rivals.turn();
      int way = rivals.way(turn);
      rivals.took(turn, way == 2 ? 900 : 100, way == 2 ? 100 : 10);
    }
    assertThat(play(20, _ -> 1)).containsOnly(2);
  }
}
