package dev.jcomms.jccl.dsl.programs;

import java.util.List;
import java.util.stream.IntStream;

/** Rank arithmetic of the programs. */
final class Peers {
  private Peers() {}

  /** The other ranks of {@code n}. */
  static List<Integer> of(int rank, int n) {
    return IntStream.range(0, n).filter(peer -> peer != rank).boxed().toList();
  }

  /** The other ranks of {@code n}, from the next one around. */
  static List<Integer> around(int rank, int n) {
    return IntStream.range(1, n).mapToObj(step -> (rank + step) % n).toList();
  }

  /** The other ranks on the same node. */
  static List<Integer> onNode(int rank, int perNode) {
    int first = rank / perNode * perNode;
    return of(rank - first, perNode).stream().map(peer -> first + peer).toList();
  }

  /** Where {@code rank} is among the others of {@code peer}. */
  static int slot(int rank, int peer) {
    return rank < peer ? rank : rank - 1;
  }
}
