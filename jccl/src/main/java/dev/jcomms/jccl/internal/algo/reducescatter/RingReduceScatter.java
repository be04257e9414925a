package dev.jcomms.jccl.internal.algo.reducescatter;

import dev.jcomms.jccl.internal.algo.message.Arithmetic;
import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceScatterTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.pattern.Ring;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * Reduce-scatter around a ring: {@code n-1} steps, {@code B(n-1)/n} bytes of partial results, and
 * each rank talks to two others only. Right for large buffers of many ranks.
 *
 * <p>Blocks are done in rounds of {@link #AHEAD} chunks, so that memory stays small; within a round
 * a chunk is folded and sent on while the next ones come in.
 */
public final class RingReduceScatter implements MessageAlgorithm<ReduceScatterTask> {
  private static final long CHUNK_BYTES = 256 << 10;
  private static final int AHEAD = 4;

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public void run(ReduceScatterTask task, Lines lines, Workspace space) {
    new Run(task, lines, space).run();
  }

  private static final class Run {
    private final ReduceScatterTask task;
    private final Arithmetic arithmetic;
    private final Blocks inputs;
    private final Lines lines;
    private final Workspace space;
    private final Ring ring;

    /** Elements of a chunk. */
    private final long chunk;

    private final long slotBytes;

    /** For each chunk of a round: what comes in, what goes out, and own elements made wide. */
    private final MemorySegment slots;

    private final Transfer[] received = new Transfer[AHEAD];
    private final Transfer[] sent = new Transfer[AHEAD];

    Run(ReduceScatterTask task, Lines lines, Workspace space) {
      this.task = task;
      this.arithmetic = task.arithmetic();
      this.inputs = task.inputs();
      this.lines = lines;
      this.space = space;
      this.ring = new Ring(lines.rank(), lines.size());
      long largest = Math.max(1, inputs.largest() / arithmetic.bytes(1));
      this.chunk = Math.min(largest, Math.max(1, CHUNK_BYTES / arithmetic.wideBytes(1)));
      this.slotBytes = Workspace.aligned(arithmetic.wideBytes(chunk));
      this.slots = space.bytes(3 * AHEAD * slotBytes);
    }

    void run() {
      long chunks = new Chunks(inputs.largest() / arithmetic.bytes(1), chunk).count();
      for (long start = 0; start < chunks; start += AHEAD) {
        round(start, (int) Math.min(AHEAD, chunks - start));
      }
    }

    private void round(long start, int chunks) {
      for (int j = 0; j < chunks; j++) {
        sendOwn(start + j, j);
        receive(0, start + j, j);
      }
      for (int step = 0; step < ring.steps(); step++) {
        for (int j = 0; j < chunks; j++) {
          lines.await(received[j]);
          lines.await(sent[j]); // its memory is needed again
          if (step < ring.steps() - 1) {
            fold(step, start + j, j, slots, out(j));
            int next = ring.reduceSends(step + 1);
            sent[j] = lines.send(ring.next(), slots, out(j), wideBytes(next, start + j));
            receive(step + 1, start + j, j);
          } else {
            finish(step, start + j, j);
          }
        }
      }
    }

    private void sendOwn(long c, int j) {
      int block = ring.reduceSends(0);
      if (arithmetic.isPlain()) {
        long bytes = wideBytes(block, c);
        sent[j] = lines.send(ring.next(), inputs.segment(block), at(block, c), bytes);
      } else {
        lift(block, c, out(j));
        sent[j] = lines.send(ring.next(), slots, out(j), wideBytes(block, c));
      }
    }

    private void receive(int step, long c, int j) {
      long bytes = wideBytes(ring.reduceReceives(step), c);
      received[j] = lines.receive(ring.previous(), slots, in(j), bytes);
    }

    /** What came in, of the ranks before, comes first; then this rank's own. */
    private void fold(int step, long c, int j, MemorySegment to, long toAt) {
      int block = ring.reduceReceives(step);
      if (!arithmetic.isPlain()) {
        lift(block, c, own(j));
      }
      Terms terms = space.terms().add(slots, in(j));
      if (arithmetic.isPlain()) {
        terms.add(inputs.segment(block), at(block, c));
      } else {
        terms.add(slots, own(j));
      }
      arithmetic.fold(to, toAt, terms, elements(block, c));
    }

    private void finish(int step, long c, int j) {
      int block = lines.rank();
      long at = task.outputAt() + arithmetic.bytes(chunks(block).offset(c));
      MemorySegment sum = arithmetic.isPlain() ? task.output() : slots;
      long sumAt = arithmetic.isPlain() ? at : out(j);
      fold(step, c, j, sum, sumAt);
      long count = elements(block, c);
      arithmetic.finish(task.output(), at, sum, sumAt, count, space.terms(), lines.size());
    }

    private void lift(int block, long c, long to) {
      MemorySegment from = inputs.segment(block);
      arithmetic.lift(slots, to, from, at(block, c), elements(block, c), space.terms());
    }

    private long in(int j) {
      return j * slotBytes;
    }

    private long out(int j) {
      return (AHEAD + j) * slotBytes;
    }

    private long own(int j) {
      return (2 * AHEAD + j) * slotBytes;
    }

    private Chunks chunks(int block) {
      return new Chunks(inputs.bytes(block) / arithmetic.bytes(1), chunk);
    }

    private long elements(int block, long c) {
      return chunks(block).length(c);
    }

    private long wideBytes(int block, long c) {
      return arithmetic.wideBytes(elements(block, c));
    }

    private long at(int block, long c) {
      return inputs.at(block) + arithmetic.bytes(chunks(block).offset(c));
    }
  }
}
