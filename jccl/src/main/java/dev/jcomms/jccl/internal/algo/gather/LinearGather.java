package dev.jcomms.jccl.internal.algo.gather;

import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.GatherTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.transport.tcp.Lines;

/**
 * Gather in one step: everybody sends to the root, which takes from all at once. Right for large
 * blocks, and for few ranks.
 *
 * <p>The root first tells everybody that it is there, and nobody goes before it has heard that:
 * else ranks that have different roots in mind would not find out.
 */
public final class LinearGather implements MessageAlgorithm<GatherTask> {
  @Override
  public String name() {
    return "linear";
  }

  @Override
  public void run(GatherTask task, Lines lines, Workspace space) {
    if (lines.rank() != task.root()) {
      lines.signalFrom(task.root());
      lines.send(task.root(), task.input(), 0, task.bytes());
      return;
    }
    Blocks outputs = task.outputs();
    for (int rank = 0; rank < lines.size(); rank++) {
      if (rank != lines.rank()) {
        lines.signal(rank);
        lines.receive(rank, outputs.segment(rank), outputs.at(rank), outputs.bytes(rank));
      }
    }
    outputs.fill(lines.rank(), task.input(), 0);
  }
}
