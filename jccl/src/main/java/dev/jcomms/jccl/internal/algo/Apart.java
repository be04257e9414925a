package dev.jcomms.jccl.internal.algo;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * All-to-alls from memory into itself. What comes in would lie where others have yet to fetch what
 * goes out, so that goes out of a copy. Other operations have a place of their own in what they
 * write, and read it first.
 */
public final class Apart {
  private Apart() {}

  /** The operation, from inputs that no output overlaps. */
  public static Collective of(Collective op) {
    return switch (op) {
      case Collective.AllToAllSingle(Tensor output, Tensor input) when overlap(op) ->
          new Collective.AllToAllSingle(output, input.copy());
      case Collective.AllToAllVSingle(
              Tensor output,
              Tensor input,
              List<Long> outputSplits,
              List<Long> inputSplits)
          when overlap(op) ->
          new Collective.AllToAllVSingle(output, input.copy(), outputSplits, inputSplits);
      case Collective.AllToAll(List<Tensor> outputs, List<Tensor> inputs) when overlap(op) ->
          new Collective.AllToAll(outputs, inputs.stream().map(Tensor::copy).toList());
      default -> op;
    };
  }

  private static boolean overlap(Collective op) {
    for (Tensor input : op.inputs()) {
      for (Tensor output : op.outputs()) {
        if (input.segment().asOverlappingSlice(output.segment()).isPresent()) {
          return true;
        }
      }
    }
    return false;
  }
}
