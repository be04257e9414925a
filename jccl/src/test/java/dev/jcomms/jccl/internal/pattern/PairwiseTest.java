package dev.jcomms.jccl.internal.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PairwiseTest {
  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void everyPairMeetsExactlyOnce(int n) {
    for (int rank = 0; rank < n; rank++) {
      Pairwise pairwise = new Pairwise(rank, n);
      Set<Integer> met = new HashSet<>();
      for (int step = 0; step < pairwise.steps(); step++) {
        int partner = pairwise.partner(step);
        assertThat(met.add(partner)).isTrue();
        assertThat(new Pairwise(partner, n).partner(step)).isEqualTo(rank);
      }
      assertThat(met).hasSize(n);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void everyoneSendsToEveryoneOnce(int n) {
    for (int rank = 0; rank < n; rank++) {
      Pairwise pairwise = new Pairwise(rank, n);
      Set<Integer> to = new HashSet<>();
      for (int step = 0; step < pairwise.steps(); step++) {
        to.add(pairwise.to(step));
        assertThat(new Pairwise(pairwise.to(step), n).from(step)).isEqualTo(rank);
      }
      assertThat(to).hasSize(n);
    }
  }
}
