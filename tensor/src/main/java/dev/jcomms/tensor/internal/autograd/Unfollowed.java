package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.internal.TensorAccess;

/**
 * Views that were made while nothing was recorded. Writing into one of them while something is
 * would change their base behind the graph's back.
 */
public final class Unfollowed {
  private Unfollowed() {}

  /** Refuses a view that is about to be written, if this thread records. */
  public static void refuse(Tensor written) {
    if ((TensorAccess.keys(written) & TensorAccess.UNFOLLOWED) != 0 && GradMode.isEnabled()) {
      throw new IllegalStateException(
          "a view that was created in no_grad mode is being modified in place with grad mode"
              + " enabled: "
              + TensorAccess.facts(written)
              + "; do both under GradMode.noGrad(), or neither, or take detach() of the base");
    }
  }
}
