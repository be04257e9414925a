package dev.jcomms.jccl.internal.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BruckTest {
  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void allToAllDeliversEveryBlock(int n) {
    String[][] blocks = new String[n][n];
    for (int rank = 0; rank < n; rank++) {
      for (int place = 0; place < n; place++) {
        blocks[rank][place] = rank + " to " + new Bruck(rank, n).destination(place);
      }
    }
    for (int step = 0; step < new Bruck(0, n).steps(); step++) {
      String[][] before = Arrays.stream(blocks).map(String[]::clone).toArray(String[][]::new);
      for (int rank = 0; rank < n; rank++) {
        Bruck bruck = new Bruck(rank, n);
        int from = bruck.from(step);
        assertThat(new Bruck(from, n).to(step)).isEqualTo(rank);
        for (int place = 0; place < n; place++) {
          if (bruck.moves(step, place)) {
            blocks[rank][place] = before[from][place];
          }
        }
      }
    }
    for (int rank = 0; rank < n; rank++) {
      for (int place = 0; place < n; place++) {
        assertThat(blocks[rank][place]).isEqualTo(new Bruck(rank, n).source(place) + " to " + rank);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void allGatherBringsEveryBlockOnce(int n) {
    Integer[][] blocks = new Integer[n][n];
    for (int rank = 0; rank < n; rank++) {
      blocks[rank][0] = rank;
    }
    for (int step = 0; step < new Bruck(0, n).steps(); step++) {
      Integer[][] before = Arrays.stream(blocks).map(Integer[]::clone).toArray(Integer[][]::new);
      for (int rank = 0; rank < n; rank++) {
        Bruck bruck = new Bruck(rank, n);
        int from = bruck.gatherFrom(step);
        assertThat(new Bruck(from, n).gatherTo(step)).isEqualTo(rank);
        for (int place = 0; place < bruck.gathers(step); place++) {
          assertThat(blocks[rank][place + (1 << step)]).isNull();
          blocks[rank][place + (1 << step)] = before[from][place];
        }
      }
    }
    for (int rank = 0; rank < n; rank++) {
      for (int place = 0; place < n; place++) {
        assertThat(blocks[rank][place]).isEqualTo(new Bruck(rank, n).gathered(place));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void disseminationTellsEveryoneOfEveryone(int n) {
    BitSet[] heard = new BitSet[n];
    for (int rank = 0; rank < n; rank++) {
      heard[rank] = new BitSet();
      heard[rank].set(rank);
    }
    for (int step = 0; step < new Bruck(0, n).steps(); step++) {
      BitSet[] before =
          Arrays.stream(heard).map(set -> (BitSet) set.clone()).toArray(BitSet[]::new);
      for (int rank = 0; rank < n; rank++) {
        heard[rank].or(before[new Bruck(rank, n).from(step)]);
      }
    }
    assertThat(heard).allSatisfy(set -> assertThat(set.cardinality()).isEqualTo(n));
  }
}
