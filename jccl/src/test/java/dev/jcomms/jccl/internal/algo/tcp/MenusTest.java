package dev.jcomms.jccl.internal.algo.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.AlgorithmCollection;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the menus offer is what the default collection lists for TCP. */
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
}
