package dev.jcomms.jccl.internal.algo.reducescatter;

import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceScatterTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.lang.foreign.MemorySegment;

/**
 * Reduce-scatter straight to owners: {@code B(n-1)/n} bytes in one step. Everybody sends to
 * everybody at once, which a switch must be able to carry; right for any size among not too many
 * ranks.
 */
public final class DirectReduceScatter implements MessageAlgorithm<ReduceScatterTask> {
  @Override
  public String name() {
    return "direct";
  }

  @Override
  public void run(ReduceScatterTask task, Lines lines, Workspace space) {
    OwnerReduction owners = new OwnerReduction(task.inputs(), task.arithmetic(), lines, space);
    owners.run(
        new OwnerReduction.Results() {
          @Override
          public MemorySegment memory() {
            return task.output();
          }

          @Override
          public long at(long c) {
            return task.outputAt() + owners.offset(lines.rank(), c);
          }

          @Override
          public boolean isClear() {
            return !task.inputs().overlap(task.output());
          }

          @Override
          public void done(long c) {}
        });
  }
}
