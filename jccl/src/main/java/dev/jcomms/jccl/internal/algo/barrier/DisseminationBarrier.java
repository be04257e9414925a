package dev.jcomms.jccl.internal.algo.barrier;

import dev.jcomms.jccl.internal.algo.message.BarrierTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Bruck;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;

/**
 * Barrier by dissemination: at step {@code s} a rank tells the one {@code 2^s} ranks up what it has
 * heard so far: that everybody is there, after {@code ceil(log2 n)} steps.
 */
public final class DisseminationBarrier implements MessageAlgorithm<BarrierTask> {
  @Override
  public String name() {
    return "dissemination";
  }

  @Override
  public void run(BarrierTask task, Lines lines, Workspace space) {
    Bruck bruck = new Bruck(lines.rank(), lines.size());
    for (int step = 0; step < bruck.steps(); step++) {
      lines.signal(bruck.to(step));
      Transfer heard = lines.signalFrom(bruck.from(step));
      lines.await(heard);
    }
  }
}
