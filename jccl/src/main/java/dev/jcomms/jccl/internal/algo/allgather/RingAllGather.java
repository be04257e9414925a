package dev.jcomms.jccl.internal.algo.allgather;

import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.GatherTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.pattern.Ring;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;

/**
 * All-gather around a ring: {@code n-1} steps of one block each, {@code B(n-1)/n} bytes, and each
 * rank talks to two others only. Right for large blocks of many ranks.
 *
 * <p>A block is sent on chunk by chunk, while the rest of it comes in.
 */
public final class RingAllGather implements MessageAlgorithm<GatherTask> {
  private static final long CHUNK_BYTES = 512 << 10;

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public void run(GatherTask task, Lines lines, Workspace space) {
    task.outputs().fill(lines.rank(), task.input(), 0);
    gather(task.outputs(), lines);
  }

  /** Gathers blocks of which this rank's own is in its place. */
  public static void gather(Blocks blocks, Lines lines) {
    Ring ring = new Ring(lines.rank(), lines.size());
    Transfer[] before = null;
    for (int step = 0; step < ring.steps(); step++) {
      int in = ring.gatherReceives(step);
      Chunks incoming = new Chunks(blocks.bytes(in), CHUNK_BYTES);
      Transfer[] received = new Transfer[(int) incoming.count()];
      for (int c = 0; c < received.length; c++) {
        long at = blocks.at(in) + incoming.offset(c);
        received[c] = lines.receive(ring.previous(), blocks.segment(in), at, incoming.length(c));
      }
      int out = ring.gatherSends(step);
      Chunks outgoing = new Chunks(blocks.bytes(out), CHUNK_BYTES);
      for (int c = 0; c < outgoing.count(); c++) {
        if (before != null) {
          lines.await(before[c]);
        }
        long at = blocks.at(out) + outgoing.offset(c);
        lines.send(ring.next(), blocks.segment(out), at, outgoing.length(c));
      }
      before = received;
    }
  }
}
