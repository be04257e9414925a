package dev.jcomms.jccl.internal.algo.reduce;

import dev.jcomms.jccl.internal.algo.message.Arithmetic;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.TreeShape;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.pattern.Chunks;
import dev.jcomms.jccl.internal.pattern.Tree;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * Reduce up a tree: each rank folds its own elements and the partial results of its children, in
 * one pass, and sends {@code B} bytes to its parent, chunk by chunk.
 *
 * <p>A binomial tree has {@code log2 n} levels, for small buffers; a k-nomial one fewer levels with
 * more children each; a chain {@code n-1} levels of one child each, and the speed of a link, for
 * very large buffers.
 *
 * <p>Every parent first tells its children that it is there, and no child goes before it has heard
 * that: else ranks that have different roots in mind would not find out.
 */
public final class TreeReduce implements MessageAlgorithm<ReduceTask> {
  private static final long CHUNK_BYTES = 256 << 10;

  /** Chunks of each child that may be on their way at a time. */
  private static final int AHEAD = 4;

  private final TreeShape shape;

  public TreeReduce(TreeShape shape) {
    this.shape = shape;
  }

  @Override
  public String name() {
    return shape.shapeName();
  }

  @Override
  public void run(ReduceTask task, Lines lines, Workspace space) {
    new Run(task, shape.of(lines.rank(), lines.size(), task.root()), lines, space).run();
  }

  private static final class Run {
    private final ReduceTask task;
    private final Arithmetic arithmetic;
    private final Tree tree;
    private final int[] children;
    private final Lines lines;
    private final Workspace space;
    private final Chunks chunks;
    private final long slotBytes;

    /** For each chunk on its way: one for each child, one for what goes up. */
    private final MemorySegment slots;

    private final Transfer[][] received;
    private final Transfer[] sent = new Transfer[AHEAD];

    Run(ReduceTask task, Tree tree, Lines lines, Workspace space) {
      this.task = task;
      this.arithmetic = task.arithmetic();
      this.tree = tree;
      this.children = tree.children();
      this.lines = lines;
      this.space = space;
      long most = Math.max(1, CHUNK_BYTES / arithmetic.wideBytes(1));
      this.chunks = new Chunks(task.elements(), Math.max(1, Math.min(task.elements(), most)));
      this.slotBytes = Workspace.aligned(arithmetic.wideBytes(chunks.chunk()));
      this.slots = space.bytes(AHEAD * (children.length + 1) * slotBytes);
      this.received = new Transfer[AHEAD][children.length];
    }

    void run() {
      for (int child : children) {
        lines.signal(child);
      }
      tree.parent().ifPresent(lines::signalFrom);
      for (long c = 0; c < Math.min(AHEAD, chunks.count()); c++) {
        receive(c);
      }
      for (long c = 0; c < chunks.count(); c++) {
        if (tree.parent().isEmpty()) {
          finish(c);
        } else {
          sendUp(c, tree.parent().getAsInt());
        }
        if (c + AHEAD < chunks.count()) {
          receive(c + AHEAD);
        }
      }
    }

    private void sendUp(long c, int parent) {
      long bytes = arithmetic.wideBytes(chunks.length(c));
      if (children.length == 0 && arithmetic.isPlain()) {
        lines.send(parent, task.input(), arithmetic.bytes(chunks.offset(c)), bytes);
        return;
      }
      if (sent[round(c)] != null) {
        lines.await(sent[round(c)]); // its memory is needed again
      }
      fold(c, slots, own(c));
      sent[round(c)] = lines.send(parent, slots, own(c), bytes);
    }

    private void receive(long c) {
      long bytes = arithmetic.wideBytes(chunks.length(c));
      for (int i = 0; i < children.length; i++) {
        received[round(c)][i] = lines.receive(children[i], slots, slot(c, i), bytes);
      }
    }

    /** This rank's elements come first, then children from the nearest on. */
    private void fold(long c, MemorySegment to, long at) {
      long elementsAt = arithmetic.bytes(chunks.offset(c));
      long count = chunks.length(c);
      if (!arithmetic.isPlain()) {
        arithmetic.lift(slots, own(c), task.input(), elementsAt, count, space.terms());
      }
      for (int i = 0; i < children.length; i++) {
        lines.await(received[round(c)][i]);
      }
      Terms terms = space.terms();
      if (arithmetic.isPlain()) {
        terms.add(task.input(), elementsAt);
      } else {
        terms.add(slots, own(c));
      }
      for (int i = children.length - 1; i >= 0; i--) {
        terms.add(slots, slot(c, i));
      }
      arithmetic.fold(to, at, terms, count);
    }

    private void finish(long c) {
      long at = arithmetic.bytes(chunks.offset(c));
      MemorySegment sum = arithmetic.isPlain() ? task.output() : slots;
      long sumAt = arithmetic.isPlain() ? at : own(c);
      fold(c, sum, sumAt);
      long count = chunks.length(c);
      arithmetic.finish(task.output(), at, sum, sumAt, count, space.terms(), lines.size());
    }

    private static int round(long c) {
      return (int) (c % AHEAD);
    }

    private long slot(long c, int child) {
      return (round(c) * (children.length + 1L) + child) * slotBytes;
    }

    private long own(long c) {
      return slot(c, children.length);
    }
  }
}
