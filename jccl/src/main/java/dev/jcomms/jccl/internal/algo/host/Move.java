package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.Collective;
import dev.jcomms.jccl.internal.memory.LargeCopy;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An operation that moves data, as this rank sees it: the pieces it gives, and where the pieces it
 * takes go.
 *
 * @param gives one piece a rank if they are addressed, else the one piece for all; null if this
 *     rank gives nothing
 * @param takes by giving rank; null for what is not wanted
 * @param addressed whether each piece is for one rank
 * @param source the one rank that gives; {@link #ALL} if all do
 * @param largest bytes of the largest piece of any rank; {@link #UNKNOWN} if ranks know their own
 *     only
 * @param whole the memory that the gives are equal and consecutive parts of; null if they are not
 */
record Move(
    MemorySegment[] gives,
    MemorySegment[] takes,
    boolean addressed,
    int source,
    long largest,
    MemorySegment whole) {
  static final int ALL = -1;
  static final long UNKNOWN = -1;

  /** What a rank gives and takes in an operation that moves data or reduce-scatters. */
  static Move of(Collective op, int rank, int size) {
    return switch (op) {
      case Collective.Broadcast(Tensor tensor, int root) -> {
        MemorySegment segment = tensor.segment();
        MemorySegment[] takes = new MemorySegment[size];
        if (rank != root) {
          takes[root] = segment;
        }
        MemorySegment[] gives = rank == root ? new MemorySegment[] {segment} : null;
        yield new Move(gives, takes, false, root, tensor.bytes(), segment);
      }
      case Collective.AllGather(List<Tensor> outputs, Tensor input) ->
          shared(input, segments(outputs), input.bytes());
      case Collective.AllGatherV(List<Tensor> outputs, Tensor input) ->
          shared(input, segments(outputs), largest(outputs));
      case Collective.AllGatherSingle(Tensor output, Tensor input) ->
          shared(input, parts(output.segment(), size), input.bytes());
      case Collective.Gather(List<Tensor> outputs, Tensor input, int root) ->
          shared(input, rank == root ? segments(outputs) : new MemorySegment[size], input.bytes());
      case Collective.GatherSingle(Tensor output, Tensor input, int root) ->
          shared(
              input,
              rank == root ? parts(output.segment(), size) : new MemorySegment[size],
              input.bytes());
      case Collective.Scatter(Tensor output, List<Tensor> inputs, int root) -> {
        MemorySegment[] takes = new MemorySegment[size];
        takes[root] = output.segment();
        MemorySegment[] gives = rank == root ? segments(inputs) : null;
        yield new Move(gives, takes, true, root, output.bytes(), null);
      }
      case Collective.AllToAll(List<Tensor> outputs, List<Tensor> inputs) ->
          new Move(segments(inputs), segments(outputs), true, ALL, UNKNOWN, null);
      case Collective.AllToAllSingle(Tensor output, Tensor input) ->
          new Move(
              parts(input.segment(), size),
              parts(output.segment(), size),
              true,
              ALL,
              input.bytes() / size,
              input.segment());
      case Collective.AllToAllVSingle(
              Tensor output,
              Tensor input,
              List<Long> outputSplits,
              List<Long> inputSplits) ->
          new Move(rows(input, inputSplits), rows(output, outputSplits), true, ALL, UNKNOWN, null);
      case Collective.ReduceScatter(Tensor output, List<Tensor> inputs, _) ->
          new Move(segments(inputs), null, true, ALL, output.bytes(), null);
      case Collective.ReduceScatterV(_, List<Tensor> inputs, _) ->
          new Move(segments(inputs), null, true, ALL, largest(inputs), null);
      case Collective.ReduceScatterSingle(Tensor output, Tensor input, _) ->
          new Move(parts(input.segment(), size), null, true, ALL, output.bytes(), input.segment());
      case Collective.AllReduce _,
          Collective.Reduce _,
          Collective.Barrier _,
          Collective.MonitoredBarrier _,
          Collective.PointToPoint _,
          Collective.SendRecvBatch _ ->
          throw new AssertionError(op);
    };
  }

  private static Move shared(Tensor input, MemorySegment[] takes, long largest) {
    MemorySegment segment = input.segment();
    return new Move(new MemorySegment[] {segment}, takes, false, ALL, largest, segment);
  }

  private static MemorySegment[] segments(List<Tensor> tensors) {
    MemorySegment[] segments = new MemorySegment[tensors.size()];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = tensors.get(i).segment();
    }
    return segments;
  }

  private static MemorySegment[] parts(MemorySegment whole, int size) {
    long each = whole.byteSize() / size;
    MemorySegment[] parts = new MemorySegment[size];
    for (int i = 0; i < size; i++) {
      parts[i] = whole.asSlice(i * each, each);
    }
    return parts;
  }

  private static MemorySegment[] rows(Tensor tensor, List<Long> splits) {
    long rows = tensor.shape().dims() == 0 ? 1 : tensor.shape().size(0);
    long row = rows == 0 ? 0 : tensor.bytes() / rows;
    MemorySegment whole = tensor.segment();
    MemorySegment[] parts = new MemorySegment[splits.size()];
    long at = 0;
    for (int i = 0; i < parts.length; i++) {
      long bytes = splits.get(i) * row;
      parts[i] = whole.asSlice(at, bytes);
      at += bytes;
    }
    return parts;
  }

  private static long largest(List<Tensor> tensors) {
    long largest = 0;
    for (Tensor tensor : tensors) {
      largest = Math.max(largest, tensor.bytes());
    }
    return largest;
  }

  boolean gives(int rank) {
    return source == ALL || source == rank;
  }

  /** The piece for a rank. */
  MemorySegment give(int to) {
    return gives[addressed ? to : 0];
  }

  /** Bytes of the largest piece that this rank gives. */
  long largestGiven() {
    long largest = 0;
    for (int i = 0; gives != null && i < gives.length; i++) {
      largest = Math.max(largest, gives[i].byteSize());
    }
    return largest;
  }

  /** Moves what this rank gives to itself, if it is not there: who writes takes it from readers. */
  void keepOwn(int rank, Crew crew) {
    if (gives == null || takes[rank] == null) {
      return;
    }
    MemorySegment own = give(rank);
    MemorySegment taken = takes[rank];
    if (own.byteSize() != taken.byteSize()) {
      throw Lanes.mismatch(rank, rank, own.byteSize(), taken.byteSize());
    }
    if (own.isNative() && taken.isNative() && own.address() == taken.address()) {
      return;
    }
    if (own.asOverlappingSlice(taken).isPresent()) {
      MemorySegment.copy(own, 0, taken, 0, own.byteSize());
    } else {
      crew.share(
          own.byteSize(),
          (_, from, to) -> LargeCopy.copy(own, from, taken, from, to - from),
          own,
          taken);
    }
  }
}
