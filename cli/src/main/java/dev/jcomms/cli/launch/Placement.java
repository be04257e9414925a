package dev.jcomms.cli.launch;

import java.util.ArrayList;
import java.util.List;

/** Where one rank sits: its number in the world, on its node, and the sizes of both. */
record Placement(
    int rank, int worldSize, int localRank, int localWorldSize, int nodeRank, int nodes) {

  /**
   * The ranks of one node. Ranks are numbered node by node, so a node's first rank is the number of
   * ranks on the nodes before it; nodes need not be equal.
   */
  static List<Placement> onNode(int nodeRank, List<Integer> ranksPerNode) {
    int before = ranksPerNode.subList(0, nodeRank).stream().mapToInt(Integer::intValue).sum();
    int world = ranksPerNode.stream().mapToInt(Integer::intValue).sum();
    int here = ranksPerNode.get(nodeRank);
    List<Placement> ranks = new ArrayList<>();
    for (int local = 0; local < here; local++) {
      ranks.add(new Placement(before + local, world, local, here, nodeRank, ranksPerNode.size()));
    }
    return ranks;
  }
}
