package dev.jcomms.internal.observe;

import dev.jcomms.Collective;
import dev.jcomms.Hook;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * Refuses operations whose inputs hold a NaN: better at the rank that made it than in everybody's
 * result.
 */
public final class NanCheck implements Hook {
  @Override
  public void before(Call call) {
    List<Tensor> inputs = isRead(call) ? call.op().inputs() : List.of();
    for (int i = 0; i < inputs.size(); i++) {
      Tensor input = inputs.get(i);
      if (input.dtype().isFloating() && input.device().type().equals("cpu")) {
        long at = firstNan(input);
        if (at >= 0) {
          throw new IllegalArgumentException(
              call + " (rank " + call.comm().rank() + "): input " + i + " is NaN at element " + at);
        }
      }
    }
  }

  /** What only the root reads may hold anything elsewhere. */
  private static boolean isRead(Call call) {
    return switch (call.op()) {
      case Collective.Broadcast(_, int root) -> root == call.comm().rank();
      case Collective.Scatter(_, _, int root) -> root == call.comm().rank();
      default -> true;
    };
  }

  private static long firstNan(Tensor tensor) {
    Tensor flat = tensor.flatten();
    for (long i = 0; i < flat.elements(); i++) {
      if (Double.isNaN(flat.getDouble(i))) {
        return i;
      }
    }
    return -1;
  }
}
