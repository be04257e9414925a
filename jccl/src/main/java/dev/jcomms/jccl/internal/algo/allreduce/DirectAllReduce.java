package dev.jcomms.jccl.internal.algo.allreduce;

import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.algo.reducescatter.OwnerReduction;
import dev.jcomms.jccl.internal.pattern.Pairwise;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce straight to owners: each rank reduces a shard in one pass and gives the result to
 * everybody.
 *
 * <p>Two steps of {@code B(n-1)/n} bytes: no pattern sends less, and none that sends so little has
 * fewer steps. Each rank talks to all others at once, which a switch must be able to carry: right
 * for large buffers of not too many ranks.
 *
 * <p>The result of one chunk goes out while the parts of the next come in, a few chunks later: late
 * enough to keep the wire busy, early enough that what a result overwrites is still in the cache.
 * It overwrites parts that have arrived, since its owner could not have made it otherwise.
 */
public final class DirectAllReduce implements MessageAlgorithm<ReduceTask> {
  @Override
  public String name() {
    return "direct";
  }

  @Override
  public void run(ReduceTask task, Lines lines, Workspace space) {
    Blocks shards = task.inputShards(lines.size());
    OwnerReduction owners = new OwnerReduction(shards, task.arithmetic(), lines, space);
    owners.run(new Spread(task, shards, owners, lines));
  }

  /** Gives each chunk to everybody, and takes theirs. */
  private record Spread(ReduceTask task, Blocks shards, OwnerReduction owners, Lines lines)
      implements OwnerReduction.Results {
    @Override
    public MemorySegment memory() {
      return task.output();
    }

    @Override
    public long at(long c) {
      return at(lines.rank(), c);
    }

    private long at(int rank, long c) {
      return shards.at(rank) + owners.offset(rank, c);
    }

    @Override
    public boolean isClear() {
      return !shards.overlap(task.output());
    }

    @Override
    public void done(long c) {
      Pairwise pairs = new Pairwise(lines.rank(), lines.size());
      for (int step = 1; step < pairs.steps(); step++) {
        lines.send(pairs.to(step), task.output(), at(c), owners.bytes(lines.rank(), c));
        int from = pairs.from(step);
        lines.receive(from, task.output(), at(from, c), owners.bytes(from, c));
      }
    }
  }
}
