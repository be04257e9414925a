package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PlacementTest {
  @Test
  void ranksAreNumberedNodeByNode() {
    assertThat(Placement.onNode(1, List.of(2, 3, 1)))
        .containsExactly(
            new Placement(2, 6, 0, 3, 1, 3),
            new Placement(3, 6, 1, 3, 1, 3),
            new Placement(4, 6, 2, 3, 1, 3));
  }
}
