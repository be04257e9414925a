package dev.jcomms.jccl.internal.algo.allreduce;

import dev.jcomms.jccl.internal.algo.message.Arithmetic;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce of two ranks: each sends the other its elements, and both reduce all of them.
 *
 * <p>One step of {@code B} bytes, where the other algorithms need two steps for as many; each rank
 * does all of the arithmetic instead of half. Chunks are reduced while the next ones come in.
 */
public final class ExchangeAllReduce implements MessageAlgorithm<ReduceTask> {
  private static final long CHUNK_BYTES = 128 << 10;

  /** Chunks that may be on their way before the first of them is reduced. */
  private static final int AHEAD = 2;

  @Override
  public String name() {
    return "exchange";
  }

  @Override
  public boolean fits(ReduceTask task, int size) {
    return size == 2;
  }

  @Override
  public void run(ReduceTask task, Lines lines, Workspace space) {
    Arithmetic arithmetic = task.arithmetic();
    int me = lines.rank();
    int peer = 1 - me;
    Chunks chunks = Chunks.ofBytes(task.elements(), (int) arithmetic.bytes(1), CHUNK_BYTES);
    long slotBytes = Workspace.aligned(arithmetic.bytes(chunks.length(0)));
    MemorySegment slots = space.bytes(AHEAD * slotBytes);
    Transfer[] sent = new Transfer[AHEAD];
    Transfer[] received = new Transfer[AHEAD];
    long factor = Double.doubleToRawLongBits(arithmetic.factor());
    for (long c = 0; c < chunks.count() + AHEAD; c++) {
      int slot = (int) (c % AHEAD);
      if (c >= AHEAD) {
        long first = chunks.offset(c - AHEAD);
        long at = arithmetic.bytes(first);
        lines.await(received[slot]);
        lines.await(sent[slot]); // it may be overwritten
        double theirs = Double.longBitsToDouble(received[slot].note());
        Terms terms = space.terms();
        if (me == 0) {
          terms.add(task.input(), at, arithmetic.factor()).add(slots, slot * slotBytes, theirs);
        } else {
          terms.add(slots, slot * slotBytes, theirs).add(task.input(), at, arithmetic.factor());
        }
        arithmetic.reducer().reduce(task.output(), at, terms, chunks.length(c - AHEAD), 2);
      }
      if (c < chunks.count()) {
        long at = arithmetic.bytes(chunks.offset(c));
        long bytes = arithmetic.bytes(chunks.length(c));
        sent[slot] = lines.send(peer, task.input(), at, bytes, factor);
        received[slot] = lines.receive(peer, slots, slot * slotBytes, bytes);
      }
    }
  }
}
