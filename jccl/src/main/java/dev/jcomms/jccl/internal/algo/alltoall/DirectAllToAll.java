package dev.jcomms.jccl.internal.algo.alltoall;

import dev.jcomms.jccl.internal.algo.message.AllToAllTask;
import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Pairwise;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;

/**
 * All-to-all in one step: all blocks are on their way at once, {@code B(n-1)/n} bytes. A switch
 * must be able to carry it; right for blocks of any sizes of not too many ranks.
 */
public final class DirectAllToAll implements MessageAlgorithm<AllToAllTask> {
  @Override
  public String name() {
    return "direct";
  }

  @Override
  public void run(AllToAllTask task, Lines lines, Workspace space) {
    Pairwise pairs = new Pairwise(lines.rank(), lines.size());
    Blocks in = task.inputs();
    Blocks out = task.outputs();
    Transfer[] received = new Transfer[lines.size()];
    for (int step = 1; step < pairs.steps(); step++) {
      int to = pairs.to(step);
      int from = pairs.from(step);
      lines.send(to, in.segment(to), in.at(to), in.bytes(to), out.bytes(to));
      received[from] = lines.receive(from, out.segment(from), out.at(from), out.bytes(from));
    }
    out.fill(lines.rank(), in.segment(lines.rank()), in.at(lines.rank()));
    lines.awaitAll();
    for (int step = 1; step < pairs.steps(); step++) {
      int from = pairs.from(step);
      lines.requireExpected(from, received[from], in.bytes(from));
    }
  }
}
