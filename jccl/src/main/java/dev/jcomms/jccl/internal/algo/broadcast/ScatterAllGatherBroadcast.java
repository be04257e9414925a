package dev.jcomms.jccl.internal.algo.broadcast;

import dev.jcomms.jccl.internal.algo.message.BroadcastTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;

/**
 * Broadcast by scatter and all-gather: the root sends each other rank a shard, and that rank sends
 * it on to all others.
 *
 * <p>Two steps; the root sends {@code B} bytes in all, the others {@code B(n-2)/(n-1)} each, at the
 * same time, chunk by chunk. A switch must be able to carry it; right for large buffers of not too
 * many ranks.
 *
 * <p>As in a {@link TreeBroadcast}, the root hears of everybody.
 */
public final class ScatterAllGatherBroadcast implements MessageAlgorithm<BroadcastTask> {
  private static final long CHUNK_BYTES = 256 << 10;

  @Override
  public String name() {
    return "scatter_all_gather";
  }

  @Override
  public void run(BroadcastTask task, Lines lines, Workspace space) {
    int n = lines.size();
    int root = task.root();
    int place = Math.floorMod(lines.rank() - root, n);
    if (n == 1) {
      return;
    }
    Shards shards = new Shards(task.bytes(), n - 1, 64);
    long chunks = new Chunks(shards.longest(), CHUNK_BYTES).count();
    if (place == 0) {
      for (int other = 1; other < n; other++) {
        lines.signalFrom((root + other) % n);
      }
    } else {
      lines.signal(root);
    }
    for (long c = 0; c < chunks; c++) {
      if (place == 0) {
        for (int other = 1; other < n; other++) {
          move(task, lines, shards, other - 1, c, (root + other) % n, true);
        }
      } else {
        Transfer mine = move(task, lines, shards, place - 1, c, root, false);
        for (int step = 1; step < n - 1; step++) {
          int other = 1 + (place - 1 + step) % (n - 1);
          move(task, lines, shards, other - 1, c, (root + other) % n, false);
        }
        lines.await(mine);
        for (int step = 1; step < n - 1; step++) {
          int other = 1 + (place - 1 + step) % (n - 1);
          move(task, lines, shards, place - 1, c, (root + other) % n, true);
        }
      }
    }
  }

  /** Posts a chunk of a shard, to or from a peer. */
  private static Transfer move(
      BroadcastTask task, Lines lines, Shards shards, int shard, long c, int peer, boolean out) {
    Chunks chunks = new Chunks(shards.length(shard), CHUNK_BYTES);
    long at = shards.offset(shard) + chunks.offset(c);
    long bytes = chunks.length(c);
    return out
        ? lines.send(peer, task.memory(), at, bytes)
        : lines.receive(peer, task.memory(), at, bytes);
  }
}
