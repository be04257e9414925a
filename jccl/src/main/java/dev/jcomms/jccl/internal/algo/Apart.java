package dev.jcomms.jccl.internal.algo;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.transport.Uses;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Operations whose inputs lie where outputs do. In place, an input is this rank's own section of
 * what is written, or an output of what is read: algorithms know that, and read first. Anywhere
 * else what comes in would lie where others have yet to fetch what goes out, so that goes out of a
 * copy.
 */
public final class Apart {
  private Apart() {}

  /** The operation of a rank, from inputs that no output overlaps but in place. */
  public static Collective of(Collective op, int rank) {
    // Those that are called most, for a few bytes, do not pass the long lists below.
    boolean apart =
        op instanceof Collective.AllReduce reduction
            ? reduction.output() == reduction.input()
                || !overlap(reduction.input().segment(), reduction.output().segment())
            : op instanceof Collective.Broadcast || !overlap(op, rank);
    return apart || isInPlace(op, rank) ? op : fromCopies(op);
  }

  private static boolean overlap(Collective op, int rank) {
    if (op instanceof Collective.Single single) {
      return overlap(single.input().segment(), single.output().segment());
    }
    Uses uses = Uses.of(op, rank);
    for (Tensor input : uses.reads()) {
      for (Tensor output : uses.writes()) {
        if (overlap(input.segment(), output.segment())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isInPlace(Collective op, int rank) {
    return switch (op) {
      case Collective.AllReduce(Tensor output, Tensor input, _) ->
          isSame(input.segment(), output.segment());
      case Collective.AllGatherSingle(Tensor output, Tensor input) ->
          isSection(input, output, rank);
      case Collective.GatherSingle(Tensor output, Tensor input, _) ->
          isSection(input, output, rank);
      case Collective.ReduceScatterSingle(Tensor output, Tensor input, _) ->
          isSection(output, input, rank);
      case Collective.AllGather(List<Tensor> outputs, Tensor input) ->
          isOneOf(input, outputs, rank);
      case Collective.AllGatherV(List<Tensor> outputs, Tensor input) ->
          isOneOf(input, outputs, rank);
      case Collective.Gather(List<Tensor> outputs, Tensor input, _) ->
          isOneOf(input, outputs, rank);
      case Collective.ReduceScatter(Tensor output, List<Tensor> inputs, _) ->
          isOneOf(output, inputs, rank);
      case Collective.ReduceScatterV(Tensor output, List<Tensor> inputs, _) ->
          isOneOf(output, inputs, rank);
      case Collective.Scatter(Tensor output, List<Tensor> inputs, _) ->
          isOneOf(output, inputs, rank);
      case Collective.Reduce _ -> true;
      default -> false; // an all-to-all: every rank's sections go elsewhere
    };
  }

  /** Whether a tensor is a rank's section of another. */
  private static boolean isSection(Tensor tensor, Tensor whole, int rank) {
    long bytes = tensor.bytes();
    return isSame(tensor.segment(), whole.segment().asSlice(rank * bytes, bytes));
  }

  /** Whether a tensor is a rank's of several, and touches none of the others. */
  private static boolean isOneOf(Tensor tensor, List<Tensor> several, int rank) {
    for (int r = 0; r < several.size(); r++) {
      MemorySegment its = several.get(r).segment();
      if (overlap(tensor.segment(), its) && !(r == rank && isSame(tensor.segment(), its))) {
        return false;
      }
    }
    return true;
  }

  private static boolean overlap(MemorySegment a, MemorySegment b) {
    return a.asOverlappingSlice(b).isPresent();
  }

  private static boolean isSame(MemorySegment a, MemorySegment b) {
    return a.byteSize() == b.byteSize()
        && a.asOverlappingSlice(b).filter(part -> part.byteSize() == a.byteSize()).isPresent();
  }

  private static Collective fromCopies(Collective op) {
    return switch (op) {
      case Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop) ->
          new Collective.AllReduce(output, input.copy(), redop);
      case Collective.AllGatherSingle(Tensor output, Tensor input) ->
          new Collective.AllGatherSingle(output, input.copy());
      case Collective.AllGather(List<Tensor> outputs, Tensor input) ->
          new Collective.AllGather(outputs, input.copy());
      case Collective.AllGatherV(List<Tensor> outputs, Tensor input) ->
          new Collective.AllGatherV(outputs, input.copy());
      case Collective.Gather(List<Tensor> outputs, Tensor input, int root) ->
          new Collective.Gather(outputs, input.copy(), root);
      case Collective.GatherSingle(Tensor output, Tensor input, int root) ->
          new Collective.GatherSingle(output, input.copy(), root);
      case Collective.ReduceScatterSingle(Tensor output, Tensor input, ReduceOp redop) ->
          new Collective.ReduceScatterSingle(output, input.copy(), redop);
      case Collective.ReduceScatter(Tensor output, List<Tensor> inputs, ReduceOp redop) ->
          new Collective.ReduceScatter(output, copies(inputs), redop);
      case Collective.ReduceScatterV(Tensor output, List<Tensor> inputs, ReduceOp redop) ->
          new Collective.ReduceScatterV(output, copies(inputs), redop);
      case Collective.Scatter(Tensor output, List<Tensor> inputs, int root) ->
          new Collective.Scatter(output, copies(inputs), root);
      case Collective.AllToAllSingle(Tensor output, Tensor input) ->
          new Collective.AllToAllSingle(output, input.copy());
      case Collective.AllToAllVSingle(
              Tensor output,
              Tensor input,
              List<Long> outputSplits,
              List<Long> inputSplits) ->
          new Collective.AllToAllVSingle(output, input.copy(), outputSplits, inputSplits);
      case Collective.AllToAll(List<Tensor> outputs, List<Tensor> inputs) ->
          new Collective.AllToAll(outputs, copies(inputs));
      default -> throw new AssertionError(op);
    };
  }

  private static List<Tensor> copies(List<Tensor> tensors) {
    return tensors.stream().map(Tensor::copy).toList();
  }
}
