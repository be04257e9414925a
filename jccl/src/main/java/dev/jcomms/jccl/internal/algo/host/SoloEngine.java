package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/** Collectives of a rank that is alone: copies at most. */
public final class SoloEngine implements Engine {
  private final Terms terms = new Terms();
  private final Crew crew = Crew.ofOne();
  private boolean prompt;

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public void perform(Collective op, OpOptions options, Deadline deadline) {
    deadline.begun();
    prompt =
        op instanceof Collective.AllReduce(_, Tensor input, _) && input.bytes() <= PROMPT_BYTES;
    switch (op) {
      case Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop) ->
          reduce(output, input, redop);
      case Collective.Reduce(Tensor tensor, _, ReduceOp redop) -> reduce(tensor, tensor, redop);
      case Collective.ReduceScatter(Tensor output, var inputs, ReduceOp redop) ->
          reduce(output, inputs.getFirst(), redop);
      case Collective.ReduceScatterV(Tensor output, var inputs, ReduceOp redop) ->
          reduce(output, inputs.getFirst(), redop);
      case Collective.ReduceScatterSingle(Tensor output, Tensor input, ReduceOp redop) ->
          reduce(output, input, redop);
      case Collective.Broadcast _, Collective.Barrier _ -> {}
      default -> Move.of(op, 0, 1).keepOwn(0, crew);
    }
  }

  private static final long PROMPT_BYTES = 4096;

  /** A sum of one, an average of one: only a factor changes anything. */
  private void reduce(Tensor output, Tensor input, ReduceOp redop) {
    if (redop instanceof ReduceOp.PremulSum(double factor)) {
      terms.clear().add(input.segment(), 0, factor);
      Reducers.of(input.dtype(), redop).reduce(output.segment(), 0, terms, input.elements(), 1);
      terms.clear();
    } else if (output != input) {
      MemorySegment.copy(input.segment(), 0, output.segment(), 0, input.bytes());
    }
  }

  @Override
  public void agree(long head, long count, Deadline deadline) {}

  @Override
  public boolean wasPrompt() {
    return prompt;
  }

  @Override
  public String algorithm(Collective op, OpOptions options) {
    return "solo";
  }

  @Override
  public void close() {}
}
