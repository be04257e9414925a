package dev.jcomms.jccl.internal.select;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Algorithm.BufferMode;
import dev.jcomms.jccl.Task;
import dev.jcomms.jccl.internal.transport.UserMemory;
import dev.jcomms.jccl.internal.transport.Uses;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * An operation taken apart for an algorithm. Lists of sections are joined only if the algorithm
 * asks for the whole, and input and output are where the algorithm wants them, by a copy if need
 * be: this rank's own affair, which the others need not know.
 */
final class OpTask implements Task {
  private final Collective op;
  private final int rank;
  private final int size;
  private Side input;
  private Side output;

  /** Input or output: one tensor, or a section a rank. */
  private static final class Side {
    private final List<Tensor> sections;
    private final int count;
    private Tensor whole;
    private boolean joined;

    private Side(Tensor whole, List<Tensor> sections, int count) {
      this.whole = whole;
      this.sections = sections;
      this.count = count;
    }

    static Side of(Tensor whole, int sections) {
      return whole == null ? null : new Side(whole.flatten(), null, sections);
    }

    static Side of(List<Tensor> sections) {
      return new Side(null, sections, sections.size());
    }

    Tensor whole() {
      if (whole == null) {
        Tensor first = sections.getFirst();
        whole = Tensor.zeros(first.dtype(), Shape.of(count * first.elements()));
        joined = true;
        for (int r = 0; r < count; r++) {
          section(r).copyFrom(sections.get(r).flatten());
        }
      }
      return whole;
    }

    Tensor section(int rank) {
      if (whole == null) {
        return sections.get(rank).flatten();
      }
      if (count == 1) {
        return whole;
      }
      long elements = whole.elements() / count;
      return whole.narrow(0, rank * elements, elements);
    }

    /** Takes joined sections apart again. */
    void part() {
      for (int r = 0; joined && r < count; r++) {
        sections.get(r).flatten().copyFrom(section(r));
      }
    }

    /** Whether any thread may read it. */
    boolean isReadable() {
      return whole == null ? sections.stream().allMatch(Side::isReadable) : isReadable(whole);
    }

    private static boolean isReadable(Tensor tensor) {
      return UserMemory.isEverybodys(tensor.segment());
    }

    boolean isReadOnly() {
      return whole != null && whole.segment().isReadOnly(); // core has seen to lists
    }

    /** Whether any thread may read it, and write to it. */
    boolean isEverybodys() {
      return isReadable() && !isReadOnly();
    }

    boolean isThatOf(Side other) {
      return whole != null && other.whole != null && whole.segment().equals(other.whole.segment());
    }

    /** In memory of its own; sections are joined in such. */
    Side copy() {
      if (whole == null) {
        whole();
        return this;
      }
      return of(whole.copy(), count);
    }

    boolean overlaps(Side other) {
      return whole().segment().asOverlappingSlice(other.whole().segment()).isPresent();
    }
  }

  OpTask(Collective op, int rank, int size, BufferMode mode) {
    this.op = op;
    this.rank = rank;
    this.size = size;
    takeApart();
    share();
    if (mode != BufferMode.ANY && input != null && output != null) {
      place(mode);
    }
  }

  /** Refuses tensors whose memory was freed, of those that this rank's part is about. */
  static void requireAlive(Collective op, int rank) {
    Uses uses = Uses.of(op, rank);
    requireAlive(uses.reads());
    requireAlive(uses.writes());
  }

  private static void requireAlive(List<Tensor> tensors) {
    for (int i = 0; i < tensors.size(); i++) {
      UserMemory.requireAlive(tensors.get(i).segment());
    }
  }

  private void takeApart() {
    switch (op) {
      case Collective.AllReduce(Tensor to, Tensor from, _) -> sides(from, 1, to, 1);
      case Collective.Broadcast(Tensor tensor, _) -> sides(tensor, 1, tensor, 1);
      case Collective.Reduce(Tensor tensor, int root, _) ->
          sides(tensor, 1, rank == root ? tensor : null, 1);
      case Collective.AllGatherSingle(Tensor to, Tensor from) -> sides(from, 1, to, size);
      case Collective.ReduceScatterSingle(Tensor to, Tensor from, _) -> sides(from, size, to, 1);
      case Collective.AllToAllSingle(Tensor to, Tensor from) -> sides(from, size, to, size);
      case Collective.GatherSingle(Tensor to, Tensor from, int root) ->
          sides(from, 1, rank == root ? to : null, size);
      case Collective.AllGather(List<Tensor> to, Tensor from) -> {
        sides(from, 1, null, 1);
        output = Side.of(to);
      }
      case Collective.ReduceScatter(Tensor to, List<Tensor> from, _) -> {
        sides(null, 1, to, 1);
        input = Side.of(from);
      }
      case Collective.Gather(List<Tensor> to, Tensor from, int root) -> {
        sides(from, 1, null, 1);
        output = rank == root ? Side.of(to) : null;
      }
      case Collective.Scatter(Tensor to, List<Tensor> from, int root) -> {
        sides(null, 1, to, 1);
        input = rank == root ? Side.of(from) : null;
      }
      case Collective.Barrier _ -> {}
      default -> throw new AssertionError(op);
    }
  }

  private void sides(Tensor from, int fromSections, Tensor to, int toSections) {
    input = Side.of(from, fromSections);
    output = Side.of(to, toSections);
  }

  /** What the user's output gets at the end, if the algorithm's is another. */
  private Side result;

  /**
   * Algorithms work with threads of their own, and write to every output: memory of the caller's
   * thread is theirs by a copy, and so is what a broadcast's root may only read.
   */
  private void share() {
    if (output != null && !output.isEverybodys()) {
      boolean one = input != null && input.isThatOf(output);
      boolean written = !output.isReadOnly();
      Side given = output;
      output = output.copy();
      result = written && output != given ? given : null;
      input = one ? Side.of(output.whole(), input.count) : input;
    }
    if (input != null && !input.isReadable()) {
      input = input.copy();
    }
  }

  private void place(BufferMode mode) {
    boolean together = input.overlaps(output);
    if (mode == BufferMode.OUT_OF_PLACE && together) {
      input = Side.of(input.whole().copy(), input.count);
    } else if (mode == BufferMode.IN_PLACE && !together) {
      if (output.count >= input.count) {
        Tensor part = input.count == output.count ? output.whole() : output.section(rank);
        part.copyFrom(input.whole());
        input = Side.of(part, input.count);
      } else {
        input = Side.of(input.whole().copy(), input.count);
        result = result == null ? output : result;
        output = Side.of(input.section(rank), 1);
      }
    }
  }

  /** Brings the result to where the user wants it. */
  void finish() {
    if (result != null) {
      result.whole().copyFrom(output.whole());
      result.part();
    } else if (output != null) {
      output.part();
    }
  }

  Collective collective() {
    return op;
  }

  @Override
  public Tensor input() {
    return input == null ? null : input.whole();
  }

  @Override
  public Tensor output() {
    return output == null ? null : output.whole();
  }

  @Override
  public Tensor input(int rank) {
    return input == null ? null : input.section(rank);
  }

  @Override
  public Tensor output(int rank) {
    return output == null ? null : output.section(rank);
  }

  @Override
  public ReduceOp op() {
    return Requests.reduceOp(op);
  }

  @Override
  public int root() {
    return Requests.root(op);
  }
}
