package dev.jcomms.jccl.internal.algo.alltoall;

import dev.jcomms.jccl.internal.algo.message.AllToAllTask;
import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Pairwise;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;

/**
 * All-to-all by pairs: at each of {@code n} steps every rank exchanges with one other, {@code
 * B(n-1)/n} bytes in all, and no link carries more than one message. Right for large blocks of many
 * ranks.
 */
public final class PairwiseAllToAll implements MessageAlgorithm<AllToAllTask> {
  @Override
  public String name() {
    return "pairwise";
  }

  @Override
  public void run(AllToAllTask task, Lines lines, Workspace space) {
    Pairwise pairs = new Pairwise(lines.rank(), lines.size());
    Blocks in = task.inputs();
    Blocks out = task.outputs();
    for (int step = 0; step < pairs.steps(); step++) {
      int peer = pairs.partner(step);
      if (peer == lines.rank()) {
        out.fill(peer, in.segment(peer), in.at(peer));
      } else {
        Transfer sent =
            lines.send(peer, in.segment(peer), in.at(peer), in.bytes(peer), out.bytes(peer));
        Transfer received = lines.receive(peer, out.segment(peer), out.at(peer), out.bytes(peer));
        lines.await(received);
        lines.requireExpected(peer, received, in.bytes(peer));
        lines.await(sent);
      }
    }
  }
}
