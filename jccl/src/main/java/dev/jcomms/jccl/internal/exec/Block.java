package dev.jcomms.jccl.internal.exec;

import dev.jcomms.CommException;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.reduce.Terms;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A thread block at work: its steps, how far it is, and memory for the step it is at. One thread at
 * a time.
 */
final class Block {
  /** Bytes that go through a block's own memory at once: enough to be worth it, few to be quick. */
  static final int PIECE = 4 << 10;

  private final int id;
  private final List<String> names;
  private final Step[] steps;
  private final List<Work> sent = new ArrayList<>();
  private final Terms terms = new Terms();
  private MemorySegment pieces = Arena.ofAuto().allocate(2 * PIECE, 64);
  private int at;
  private boolean stirred;

  /**
   * @param names of the ops, by step, for messages
   */
  Block(int id, List<Step> steps, List<String> names) {
    this.id = id;
    this.steps = steps.toArray(Step[]::new);
    this.names = names;
  }

  /** Goes as far as it can; whether that was any way at all. */
  boolean advance(Launch launch) {
    stirred = false;
    while (at < steps.length && steps[at].advance(launch, this, 0, Long.MAX_VALUE)) {
      at++;
      stirred = true;
    }
    return stirred;
  }

  boolean isThrough() {
    return at == steps.length;
  }

  /** Goes back to the beginning, for the next launch. */
  void rewind() {
    at = 0;
  }

  /** Forgets a launch that has failed. */
  void reset() {
    for (Step step : steps) {
      step.reset();
    }
    sent.clear();
    terms.clear();
    at = 0;
  }

  /** Says that a step has come a little further. */
  void stir() {
    stirred = true;
  }

  Terms terms() {
    return terms;
  }

  /** The address of one of so many pieces of memory, {@link #PIECE} bytes each. */
  MemorySegment pieces(int count) {
    if (pieces.byteSize() < (long) count * PIECE) {
      pieces = Arena.ofAuto().allocate((long) count * PIECE, 64);
    }
    return pieces;
  }

  /** Keeps in mind what is on its way to another host. */
  void send(Work work) {
    if (!work.isCompleted() || work.failure().isPresent()) {
      sent.add(work);
    }
  }

  /** Whether all of that has gone, or come. */
  boolean isSent() {
    for (int i = sent.size() - 1; i >= 0; i--) {
      Work work = sent.get(i);
      if (!work.isCompleted()) {
        return false;
      }
      if (work.failure().isPresent()) {
        CommException failure = work.failure().get();
        sent.clear();
        throw failure;
      }
      sent.remove(i);
    }
    return true;
  }

  /** Where it is: {@code block 2 op 5 (wait)}. */
  String where() {
    return "block " + id + " op " + (at < steps.length ? names.get(at) : "end");
  }

  Step.Awaited awaited(Launch launch) {
    return steps[at].awaited(launch);
  }
}
