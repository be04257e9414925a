package dev.jcomms.jccl.internal.transport;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * The tensors of a collective that one rank reads, and those that it writes. A root's are not the
 * others': what an operation names on ranks that do not use it is not looked at.
 */
public record Uses(List<Tensor> reads, List<Tensor> writes) {

  public static Uses of(Collective op, int rank) {
    boolean isRoot = op instanceof Collective.Rooted rooted && rooted.root() == rank;
    boolean reads = !(op instanceof Collective.Broadcast || op instanceof Collective.Scatter);
    boolean writes =
        switch (op) {
          case Collective.Broadcast _ -> !isRoot;
          case Collective.Reduce _, Collective.Gather _, Collective.GatherSingle _ -> isRoot;
          default -> true;
        };
    return new Uses(reads || isRoot ? op.inputs() : List.of(), writes ? op.outputs() : List.of());
  }
}
