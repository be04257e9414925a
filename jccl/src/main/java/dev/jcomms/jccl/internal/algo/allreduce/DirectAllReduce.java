package dev.jcomms.jccl.internal.algo.allreduce;

import dev.jcomms.jccl.internal.algo.tcp.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.tcp.Reduction;
import dev.jcomms.jccl.internal.algo.tcp.Workspace;
import dev.jcomms.jccl.internal.pattern.Pairwise;
import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce straight to owners: each rank owns a shard, gets everybody's part of it, reduces all
 * of them in one pass and gives the result to everybody.
 *
 * <p>Two steps of {@code B(n-1)/n} bytes: no pattern sends less, none that sends so little has
 * fewer steps, and elements travel in their own type, however wide the sum is. Each rank talks to
 * all others at once, which a switch must be able to carry: right for large buffers of not too many
 * ranks.
 *
 * <p>Shards are cut into chunks. The results of one chunk go out while the parts of the next come
 * in, {@link #LAG} chunks later: late enough to keep the wire busy, early enough to find what is
 * overwritten still in the cache. A result overwrites a part that has arrived, since its owner
 * could not have made it otherwise.
 */
public final class DirectAllReduce implements MessageAlgorithm<Reduction> {
  private static final long CHUNK_BYTES = Long.getLong("jccl.chunk", 256 << 10);
  private static final int LAG = Integer.getInteger("jccl.lag", 3);

  /** All chunks under way, of all peers. */
  private static final long SCRATCH_BYTES = 16 << 20;

  @Override
  public String name() {
    return "direct";
  }

  @Override
  public void run(Reduction task, Lines lines, Workspace space) {
    new Run(task, lines, space).run();
  }

  private static final class Run {
    private final Reduction task;
    private final Lines lines;
    private final Workspace space;
    private final int n;
    private final Pairwise pairs;
    private final Shards shards;
    private final long chunk;
    private final long slotBytes;
    private final MemorySegment slots;
    private final Transfer[][] parts;

    Run(Reduction task, Lines lines, Workspace space) {
      this.task = task;
      this.lines = lines;
      this.space = space;
      this.n = lines.size();
      this.pairs = new Pairwise(lines.rank(), n);
      this.shards = new Shards(task.elements(), n, 16);
      long most = Math.min(CHUNK_BYTES, SCRATCH_BYTES / ((long) n * (LAG + 1)));
      this.chunk = Math.max(1, Math.min(shards.longest(), most / task.bytes(1)));
      this.slotBytes = Workspace.aligned(task.bytes(chunk));
      this.slots = space.bytes((LAG + 1) * n * slotBytes);
      this.parts = new Transfer[LAG + 1][n];
    }

    void run() {
      long chunks = Math.max(1, (shards.longest() + chunk - 1) / chunk);
      for (long c = 0; c < chunks + LAG; c++) {
        if (c < chunks) {
          exchangeParts(c);
        }
        if (c >= LAG) {
          reduce(c - LAG);
          exchangeResults(c - LAG);
        }
      }
    }

    private void exchangeParts(long c) {
      for (int step = 1; step < n; step++) {
        int to = pairs.to(step);
        long factor = Double.doubleToRawLongBits(task.factor());
        lines.send(to, task.input(), task.bytes(first(to, c)), bytes(to, c), factor);
        int from = pairs.from(step);
        int round = (int) (c % (LAG + 1));
        parts[round][from] = lines.receive(from, slots, slot(round, from), bytes(lines.rank(), c));
      }
    }

    private void reduce(long c) {
      int round = (int) (c % (LAG + 1));
      long first = first(lines.rank(), c);
      Terms terms = space.terms();
      for (int r = 0; r < n; r++) {
        if (r == lines.rank()) {
          terms.add(task.input(), task.bytes(first), task.factor());
        } else {
          lines.await(parts[round][r]);
          double factor = Double.longBitsToDouble(parts[round][r].note());
          terms.add(slots, slot(round, r), factor);
        }
      }
      task.reducer().reduce(task.output(), task.bytes(first), terms, count(lines.rank(), c), n);
    }

    private void exchangeResults(long c) {
      for (int step = 1; step < n; step++) {
        int to = pairs.to(step);
        lines.send(to, task.output(), task.bytes(first(lines.rank(), c)), bytes(lines.rank(), c));
        int from = pairs.from(step);
        lines.receive(from, task.output(), task.bytes(first(from, c)), bytes(from, c));
      }
    }

    private long slot(int round, int rank) {
      return (round * (long) n + rank) * slotBytes;
    }

    /** The first element of a chunk of a shard. */
    private long first(int shard, long c) {
      return shards.offset(shard) + Math.min(c * chunk, shards.length(shard));
    }

    /** Elements of a chunk of a shard; shorter shards have empty ones at the end. */
    private long count(int shard, long c) {
      return Math.min(chunk, shards.length(shard) - Math.min(c * chunk, shards.length(shard)));
    }

    private long bytes(int shard, long c) {
      return task.bytes(count(shard, c));
    }
  }
}
