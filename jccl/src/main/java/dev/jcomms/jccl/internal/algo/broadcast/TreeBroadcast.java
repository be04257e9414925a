package dev.jcomms.jccl.internal.algo.broadcast;

import dev.jcomms.jccl.internal.algo.message.BroadcastTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.TreeShape;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.pattern.Tree;
import dev.jcomms.jccl.internal.transport.tcp.Lines;

/**
 * Broadcast down a tree: {@code B} bytes to each child, chunk by chunk as they come in.
 *
 * <p>A binomial tree has {@code log2 n} levels, for small buffers; a k-nomial one fewer levels with
 * more children each; a chain {@code n-1} levels of one child each, and the speed of a link, for
 * very large buffers.
 *
 * <p>Every child first tells its parent that it is there, and no parent goes before it has heard
 * that: else two ranks that both take themselves for the root would both succeed.
 */
public final class TreeBroadcast implements MessageAlgorithm<BroadcastTask> {
  private static final long CHUNK_BYTES = 256 << 10;

  private final TreeShape shape;

  public TreeBroadcast(TreeShape shape) {
    this.shape = shape;
  }

  @Override
  public String name() {
    return shape.shapeName();
  }

  @Override
  public void run(BroadcastTask task, Lines lines, Workspace space) {
    Tree tree = shape.of(lines.rank(), lines.size(), task.root());
    tree.parent().ifPresent(lines::signal);
    for (int child : tree.children()) {
      lines.signalFrom(child);
    }
    Chunks chunks = new Chunks(task.bytes(), CHUNK_BYTES);
    for (long c = 0; c < chunks.count(); c++) {
      long at = chunks.offset(c);
      long bytes = chunks.length(c);
      if (tree.parent().isPresent()) {
        lines.await(lines.receive(tree.parent().getAsInt(), task.memory(), at, bytes));
      }
      for (int child : tree.children()) {
        lines.send(child, task.memory(), at, bytes);
      }
    }
  }
}
