package dev.jcomms.jccl.internal.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RingTest {
  /** Chunks are lists of who contributed; a rank sends a copy, the receiver adds its own name. */
  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.pattern.Sizes#all")
  void everyChunkIsReducedOnceAndThenIsEverywhere(int n) {
    List<List<List<Integer>>> chunks = new ArrayList<>();
    for (int rank = 0; rank < n; rank++) {
      List<List<Integer>> own = new ArrayList<>();
      for (int chunk = 0; chunk < n; chunk++) {
        own.add(List.of(rank));
      }
      chunks.add(own);
    }
    for (int step = 0; step < n - 1; step++) {
      List<List<Integer>> onTheWire = new ArrayList<>();
      for (int rank = 0; rank < n; rank++) {
        onTheWire.add(chunks.get(rank).get(new Ring(rank, n).reduceSends(step)));
      }
      for (int rank = 0; rank < n; rank++) {
        Ring ring = new Ring(rank, n);
        Ring sender = new Ring(ring.previous(), n);
        assertThat(sender.next()).isEqualTo(rank);
        assertThat(sender.reduceSends(step)).isEqualTo(ring.reduceReceives(step));
        List<Integer> sum = new ArrayList<>(onTheWire.get(ring.previous()));
        sum.add(rank);
        chunks.get(rank).set(ring.reduceReceives(step), sum);
      }
    }
    for (int rank = 0; rank < n; rank++) {
      List<Integer> folded = chunks.get(rank).get(rank);
      assertThat(folded).hasSize(n).doesNotHaveDuplicates();
      for (int k = 0; k < n; k++) {
        assertThat(folded.get(k)).isEqualTo((rank + 1 + k) % n);
      }
    }
    for (int step = 0; step < n - 1; step++) {
      List<List<Integer>> onTheWire = new ArrayList<>();
      for (int rank = 0; rank < n; rank++) {
        onTheWire.add(chunks.get(rank).get(new Ring(rank, n).gatherSends(step)));
      }
      for (int rank = 0; rank < n; rank++) {
        Ring ring = new Ring(rank, n);
        assertThat(new Ring(ring.previous(), n).gatherSends(step))
            .isEqualTo(ring.gatherReceives(step));
        chunks.get(rank).set(ring.gatherReceives(step), onTheWire.get(ring.previous()));
      }
    }
    for (List<List<Integer>> held : chunks) {
      assertThat(held).isEqualTo(chunks.getFirst()).allSatisfy(c -> assertThat(c).hasSize(n));
    }
  }
}
