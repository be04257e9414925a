package dev.jcomms.jccl.internal.algo.gather;

import dev.jcomms.jccl.internal.algo.message.GatherTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.KnomialTree;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * Gather up a binomial tree: each rank sends its parent the blocks of its whole subtree, in one
 * message; {@code log2 n} steps. Right for small blocks of many ranks.
 *
 * <p>Every parent first tells its children that it is there, as in a {@link LinearGather}.
 */
public final class BinomialGather implements MessageAlgorithm<GatherTask> {
  private static final long MOST_BYTES = 16 << 20;

  @Override
  public String name() {
    return "binomial";
  }

  @Override
  public boolean fits(GatherTask task, int size) {
    return task.equalSizes() && task.bytes() <= MOST_BYTES / size;
  }

  @Override
  public void run(GatherTask task, Lines lines, Workspace space) {
    int n = lines.size();
    KnomialTree tree = KnomialTree.binomial(lines.rank(), n, task.root());
    int[] children = tree.children();
    long block = task.bytes();
    MemorySegment places = space.bytes(tree.subtree() * block);
    Transfer[] received = new Transfer[children.length];
    for (int i = 0; i < children.length; i++) {
      KnomialTree below = KnomialTree.binomial(children[i], n, task.root());
      lines.signal(children[i]);
      long at = (below.place() - tree.place()) * block;
      received[i] = lines.receive(children[i], places, at, below.subtree() * block);
    }
    MemorySegment.copy(task.input(), 0, places, 0, block);
    tree.parent().ifPresent(lines::signalFrom);
    for (Transfer transfer : received) {
      lines.await(transfer);
    }
    if (tree.parent().isPresent()) {
      lines.send(tree.parent().getAsInt(), places, 0, tree.subtree() * block);
    } else {
      for (int place = 0; place < n; place++) {
        task.outputs().fill(tree.rankAt(place), places, place * block);
      }
    }
  }
}
