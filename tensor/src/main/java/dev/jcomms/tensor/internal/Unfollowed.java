package dev.jcomms.tensor.internal;

import dev.jcomms.tensor.Tensor;
import java.util.function.BooleanSupplier;

/**
 * Views that were made while nothing was recorded. Writing into one of them while something is
 * would change their base behind the gradient graph's back.
 */
public final class Unfollowed {
  private Unfollowed() {}

  /**
   * Refuses a view that is about to be written.
   *
   * @param recording whether the calling thread records; asked for views of this kind only
   */
  public static void refuse(Tensor written, BooleanSupplier recording) {
    if ((TensorAccess.keys(written) & TensorAccess.UNFOLLOWED) != 0 && recording.getAsBoolean()) {
      throw new IllegalStateException(
          "a view that was created in no_grad mode is being modified in place with grad mode"
              + " enabled: "
              + TensorAccess.facts(written)
              + "; do both under GradMode.noGrad(), or neither, or take detach() of the base");
    }
  }
}
