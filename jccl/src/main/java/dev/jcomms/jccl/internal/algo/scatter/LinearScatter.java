package dev.jcomms.jccl.internal.algo.scatter;

import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ScatterTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.lang.foreign.MemorySegment;

/**
 * Scatter in one step: the root sends to everybody at once. Right for large blocks, and for few
 * ranks.
 *
 * <p>Everybody first tells the root that it is there, and the root does not go before it has heard
 * that: else two ranks that both take themselves for the root would both succeed.
 */
public final class LinearScatter implements MessageAlgorithm<ScatterTask> {
  @Override
  public String name() {
    return "linear";
  }

  @Override
  public void run(ScatterTask task, Lines lines, Workspace space) {
    if (lines.rank() != task.root()) {
      lines.signal(task.root());
      lines.receive(task.root(), task.output(), 0, task.bytes());
      return;
    }
    Blocks inputs = task.inputs();
    for (int rank = 0; rank < lines.size(); rank++) {
      if (rank != lines.rank()) {
        lines.signalFrom(rank);
        lines.send(rank, inputs.segment(rank), inputs.at(rank), inputs.bytes(rank));
      }
    }
    MemorySegment mine = inputs.segment(lines.rank());
    if (mine != task.output()) {
      MemorySegment.copy(mine, inputs.at(lines.rank()), task.output(), 0, task.bytes());
    }
  }
}
