package dev.jcomms.jccl.internal.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KnomialTreeTest {
  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void spansAllRanksFromAnyRootAtAnyRadix(int n) {
    for (int radix = 2; radix <= 5; radix++) {
      for (int root = 0; root < n; root++) {
        List<Integer> visited = new ArrayList<>();
        int depth = visit(new KnomialTree(root, n, root, radix), visited, 0);
        assertThat(visited).hasSize(n).doesNotHaveDuplicates();
        assertThat(new KnomialTree(root, n, root, radix).parent()).isEmpty();
        int levels = 0;
        for (long reach = 1; reach < n; reach *= radix) {
          levels++;
        }
        assertThat(depth).isLessThanOrEqualTo(levels);
      }
    }
  }

  /** Walks a subtree and checks that parent and children know each other. Returns its depth. */
  private static int visit(KnomialTree tree, List<Integer> visited, int level) {
    visited.add(tree.rank());
    int depth = level;
    int before = visited.size();
    int largest = Integer.MAX_VALUE;
    for (int rank : tree.children()) {
      KnomialTree child = new KnomialTree(rank, tree.size(), tree.root(), tree.radix());
      assertThat(child.parent()).hasValue(tree.rank());
      depth = Math.max(depth, visit(child, visited, level + 1));
      assertThat(child.place()).as("the farthest, so the deepest, first").isLessThan(largest);
      largest = child.place();
    }
    List<Integer> places =
        visited.subList(before - 1, visited.size()).stream()
            .map(r -> Math.floorMod(r - tree.root(), tree.size()))
            .sorted()
            .toList();
    assertThat(places)
        .as("a run of neighbours")
        .isEqualTo(IntStream.range(tree.place(), tree.place() + tree.subtree()).boxed().toList());
    return depth;
  }
}
