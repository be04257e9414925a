package dev.jcomms.jccl.internal.algo.reduce;

import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.algo.reducescatter.OwnerReduction;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * Reduce by a reduce-scatter straight to owners, who send their shards of the result to the root:
 * two steps, {@code B} bytes sent by each and {@code 2B(n-1)/n} received by the root; all ranks
 * share the arithmetic. A switch must be able to carry it; right for large buffers of not too many
 * ranks.
 */
public final class DirectReduce implements MessageAlgorithm<ReduceTask> {
  @Override
  public String name() {
    return "direct";
  }

  @Override
  public void run(ReduceTask task, Lines lines, Workspace space) {
    Blocks shards = task.inputShards(lines.size());
    OwnerReduction owners = new OwnerReduction(shards, task.arithmetic(), lines, space);
    owners.run(
        lines.rank() == task.root()
            ? new Root(task, shards, owners, lines)
            : new Owner(task.root(), owners, lines, space));
  }

  /** Puts its own chunks where they belong, and those of the others beside them. */
  private record Root(ReduceTask task, Blocks shards, OwnerReduction owners, Lines lines)
      implements OwnerReduction.Results {
    @Override
    public MemorySegment memory() {
      return task.output();
    }

    @Override
    public long at(long c) {
      return shards.at(lines.rank()) + owners.offset(lines.rank(), c);
    }

    @Override
    public void done(long c) {
      for (int owner = 0; owner < lines.size(); owner++) {
        if (owner != lines.rank()) {
          long at = shards.at(owner) + owners.offset(owner, c);
          lines.receive(owner, task.output(), at, owners.bytes(owner, c));
        }
      }
    }
  }

  /** Keeps a chunk until it is sent: a tensor that is not the root's stays as it is. */
  private static final class Owner implements OwnerReduction.Results {
    private static final int KEPT = 4;

    private final int root;
    private final OwnerReduction owners;
    private final Lines lines;
    private final MemorySegment kept;
    private final Transfer[] sent = new Transfer[KEPT];

    Owner(int root, OwnerReduction owners, Lines lines, Workspace space) {
      this.root = root;
      this.owners = owners;
      this.lines = lines;
      this.kept = space.moreBytes(KEPT * owners.chunkBytes());
    }

    @Override
    public MemorySegment memory() {
      return kept;
    }

    @Override
    public long at(long c) {
      Transfer before = sent[(int) (c % KEPT)];
      if (before != null) {
        lines.await(before);
      }
      return c % KEPT * owners.chunkBytes();
    }

    @Override
    public void done(long c) {
      long at = c % KEPT * owners.chunkBytes();
      sent[(int) (c % KEPT)] = lines.send(root, kept, at, owners.bytes(lines.rank(), c));
    }
  }
}
