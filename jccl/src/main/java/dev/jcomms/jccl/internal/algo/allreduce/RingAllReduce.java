package dev.jcomms.jccl.internal.algo.allreduce;

import dev.jcomms.jccl.internal.algo.allgather.RingAllGather;
import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceScatterTask;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.algo.reducescatter.RingReduceScatter;
import dev.jcomms.jccl.internal.transport.tcp.Lines;

/**
 * All-reduce around a ring: a reduce-scatter, then an all-gather, {@code 2(n-1)} steps in all.
 *
 * <p>Every rank sends {@code 2B(n-1)/n} bytes, the least there is, and talks to two others only;
 * the price is a latency that grows with {@code n}. Right for large buffers of many ranks.
 */
public final class RingAllReduce implements MessageAlgorithm<ReduceTask> {
  private static final RingReduceScatter REDUCE_SCATTER = new RingReduceScatter();

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public void run(ReduceTask task, Lines lines, Workspace space) {
    Blocks results = task.outputShards(lines.size());
    long mine = results.at(lines.rank());
    REDUCE_SCATTER.run(
        new ReduceScatterTask(
            task.inputShards(lines.size()), task.output(), mine, lines.rank(), task.arithmetic()),
        lines,
        space);
    RingAllGather.gather(results, lines);
  }
}
