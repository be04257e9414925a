package dev.jcomms.jccl.internal.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChainTest {
  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void theRootReachesEverybodyInARow(int n) {
    for (int root = 0; root < n; root++) {
      int rank = root;
      for (int place = 0; place < n; place++) {
        Chain chain = new Chain(rank, n, root);
        assertThat(chain.parent().isEmpty()).isEqualTo(place == 0);
        int[] children = chain.children();
        assertThat(children).hasSize(place == n - 1 ? 0 : 1);
        if (children.length > 0) {
          assertThat(new Chain(children[0], n, root).parent()).hasValue(rank);
          rank = Arrays.stream(children).sum();
        }
      }
    }
  }
}
