package dev.jcomms.jccl.internal.algo.allgather;

import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.GatherTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Pairwise;
import dev.jcomms.jccl.internal.transport.tcp.Lines;

/**
 * All-gather in one step: each rank sends its block to all others at once, {@code B(n-1)/n} bytes.
 * A switch must be able to carry it; right for large blocks of not too many ranks.
 */
public final class DirectAllGather implements MessageAlgorithm<GatherTask> {
  @Override
  public String name() {
    return "direct";
  }

  @Override
  public void run(GatherTask task, Lines lines, Workspace space) {
    Pairwise pairs = new Pairwise(lines.rank(), lines.size());
    Blocks outputs = task.outputs();
    for (int step = 1; step < pairs.steps(); step++) {
      lines.send(pairs.to(step), task.input(), 0, task.bytes());
      int from = pairs.from(step);
      lines.receive(from, outputs.segment(from), outputs.at(from), outputs.bytes(from));
    }
    outputs.fill(lines.rank(), task.input(), 0);
  }
}
