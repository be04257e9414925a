package dev.jcomms.jccl.internal.algo.scatter;

import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ScatterTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.KnomialTree;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.lang.foreign.MemorySegment;

/**
 * Scatter down a binomial tree: each parent sends its children the blocks of their whole subtrees,
 * in one message each; {@code log2 n} steps. Right for small blocks of many ranks.
 *
 * <p>Every child first tells its parent that it is there, as in a {@link LinearScatter}.
 */
public final class BinomialScatter implements MessageAlgorithm<ScatterTask> {
  private static final long MOST_BYTES = 16 << 20;

  @Override
  public String name() {
    return "binomial";
  }

  @Override
  public boolean fits(ScatterTask task, int size) {
    return task.bytes() <= MOST_BYTES / size;
  }

  @Override
  public void run(ScatterTask task, Lines lines, Workspace space) {
    int n = lines.size();
    KnomialTree tree = KnomialTree.binomial(lines.rank(), n, task.root());
    int[] children = tree.children();
    long block = task.bytes();
    MemorySegment places = space.bytes(tree.subtree() * block);
    for (int child : children) {
      lines.signalFrom(child);
    }
    if (tree.parent().isPresent()) {
      int parent = tree.parent().getAsInt();
      lines.signal(parent);
      lines.await(lines.receive(parent, places, 0, tree.subtree() * block));
    } else {
      for (int place = 0; place < n; place++) {
        int rank = tree.rankAt(place);
        MemorySegment input = task.inputs().segment(rank);
        MemorySegment.copy(input, task.inputs().at(rank), places, place * block, block);
      }
    }
    for (int child : children) {
      KnomialTree below = KnomialTree.binomial(child, n, task.root());
      lines.send(child, places, (below.place() - tree.place()) * block, below.subtree() * block);
    }
    MemorySegment.copy(places, 0, task.output(), 0, block);
  }
}
