package dev.jcomms.jccl.internal.algo;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/**
 * Partial results in the type in which nothing is rounded between levels, in memory that is kept
 * from one operation to the next. One operation at a time.
 */
final class Partials {
  /** Elements after which it is looked whether the operation may go on. */
  private static final long PIECE = 1 << 20;

  private static final Deadline.Progress COMPUTING = Deadline.Progress.alone("computing its part");

  private final Terms terms = new Terms();
  private Tensor kept = Tensor.zeros(Shape.of(0));

  /** A rank's contribution; what was got here before is void. */
  Tensor of(Reducer reducer, Tensor input, ReduceOp redop, Deadline deadline) {
    double factor = redop instanceof ReduceOp.PremulSum(double given) ? given : 1;
    Tensor partial = room(reducer, input.elements());
    long from = input.dtype().bytes();
    long to = partial.dtype().bytes();
    for (long at = 0; at < input.elements(); at += PIECE) {
      deadline.check(COMPUTING);
      terms.clear().add(input.segment(), at * from, factor);
      long elements = Math.min(PIECE, input.elements() - at);
      reducer.fold(partial.segment(), at * to, terms, elements);
    }
    terms.clear();
    return partial;
  }

  /** What joins partial results: factors are applied by then, and averages divided at the end. */
  static ReduceOp joining(ReduceOp redop) {
    boolean sums = redop == ReduceOp.AVG || redop instanceof ReduceOp.PremulSum;
    return sums ? ReduceOp.SUM : redop;
  }

  /** Makes a result of what all ranks' partial results were joined to. */
  void finish(Reducer reducer, Tensor partial, Tensor output, int ranks, Deadline deadline) {
    long from = partial.dtype().bytes();
    long to = output.dtype().bytes();
    for (long at = 0; at < output.elements(); at += PIECE) {
      deadline.check(COMPUTING);
      terms.clear().add(partial.segment(), at * from);
      long elements = Math.min(PIECE, output.elements() - at);
      reducer.finish(output.segment(), at * to, terms, elements, ranks);
    }
    terms.clear();
  }

  private Tensor room(Reducer reducer, long elements) {
    if (kept.dtype() != reducer.wideType() || kept.elements() < elements) {
      kept = Tensor.zeros(reducer.wideType(), Shape.of(elements));
    }
    return kept.narrow(0, 0, elements);
  }
}
