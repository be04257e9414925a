package dev.jcomms.jccl.internal.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HypercubeTest {
  /** Folding the lower rank's part first gives every rank the same list, in rank order. */
  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void everyRankEndsWithAllInRankOrder(int n) {
    List<List<Integer>> held = new ArrayList<>();
    for (int rank = 0; rank < n; rank++) {
      held.add(List.of(rank));
    }
    for (int rank = 0; rank < n; rank++) {
      Hypercube cube = new Hypercube(rank, n);
      if (cube.host().isPresent()) {
        int host = cube.host().getAsInt();
        assertThat(new Hypercube(host, n).guest()).hasValue(rank);
        held.set(host, join(held.get(rank), held.get(host)));
      }
    }
    for (int step = 0; step < new Hypercube(0, n).steps(); step++) {
      List<List<Integer>> before = List.copyOf(held);
      for (int rank = 0; rank < n; rank++) {
        Hypercube cube = new Hypercube(rank, n);
        if (cube.host().isEmpty()) {
          assertThat(cube.rankAt(cube.corner())).isEqualTo(rank);
          int partner = cube.partner(step);
          assertThat(new Hypercube(partner, n).partner(step)).isEqualTo(rank);
          int low = Math.min(rank, partner);
          int high = Math.max(rank, partner);
          held.set(rank, join(before.get(low), before.get(high)));
        }
      }
    }
    List<Integer> all = IntStream.range(0, n).boxed().toList();
    for (int rank = 0; rank < n; rank++) {
      int holder = new Hypercube(rank, n).host().orElse(rank);
      assertThat(held.get(holder)).isEqualTo(all);
    }
  }

  @Test
  void aGuestHasNoPartners() {
    assertThatThrownBy(() -> new Hypercube(0, 3).partner(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("rank 0 of 3 is a guest of rank 1");
  }

  private static List<Integer> join(List<Integer> low, List<Integer> high) {
    List<Integer> joined = new ArrayList<>(low);
    joined.addAll(high);
    return joined;
  }
}
