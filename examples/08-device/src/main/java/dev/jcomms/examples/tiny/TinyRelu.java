package dev.jcomms.examples.tiny;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.DifferentiableFunction;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A gradient of one's own: registered under {@code AutogradPrivateUse1}, it stands above the kernel
 * and takes the place of the general formula. Most operators need no such thing.
 */
final class TinyRelu extends DifferentiableFunction {
  private static final AtomicInteger BACKWARDS = new AtomicInteger();

  /** The kernel under the autograd key. */
  static Tensor autograd(Tensor self) {
    return DifferentiableFunction.apply(new TinyRelu(), self);
  }

  @Override
  protected Tensor[] forward(Context context, Tensor... inputs) {
    try (var _ = Dispatcher.belowAutograd()) { // or relu would come here again
      Tensor result = Ops.relu(inputs[0]);
      context.saveForBackward(result); // which is above zero where the input was
      return new Tensor[] {result};
    }
  }

  @Override
  protected Tensor[] backward(Context context, Tensor... gradients) {
    BACKWARDS.incrementAndGet();
    return new Tensor[] {Ops.thresholdBackward(gradients[0], context.saved()[0], Scalar.ZERO)};
  }

  static int backwards() {
    return BACKWARDS.get();
  }
}
