package dev.jcomms.tensor.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.autograd.FunctionCalls;

/**
 * A computation with a gradient of its own making: a subclass says how results come from inputs,
 * and how the inputs' gradients come from the results'. What else it needs are its fields.
 *
 * <pre>{@code
 * final class Square extends DifferentiableFunction {
 *   protected Tensor[] forward(Context c, Tensor... inputs) {
 *     c.saveForBackward(inputs[0]);
 *     return new Tensor[] {Ops.mul(inputs[0], inputs[0])};
 *   }
 *
 *   protected Tensor[] backward(Context c, Tensor... gradients) {
 *     return new Tensor[] {Ops.mul(gradients[0], c.saved()[0].mul(2))};
 *   }
 * }
 * Tensor y = DifferentiableFunction.apply(new Square(), x);
 * }</pre>
 *
 * <p>Nothing in {@link #forward} is recorded. {@link #backward} is recorded where a graph of the
 * gradients is asked for, so it can be differentiated if it is made of operators. One object may be
 * applied many times, by any thread, if its fields allow that.
 */
public abstract class DifferentiableFunction {
  /** One application: what the two halves tell each other. */
  public interface Context {
    /** Keeps tensors for {@link #saved}; inputs and results only through this. */
    void saveForBackward(Tensor... tensors);

    /**
     * What was kept, in backward.
     *
     * @throws IllegalStateException if one has been modified since, or the graph was freed
     */
    Tensor[] saved();

    /** These results require no gradient. */
    void markNonDifferentiable(Tensor... results);

    /** These inputs were modified in place and are among the results. */
    void markDirty(Tensor... inputs);

    /** Whether a gradient by this input is wanted. */
    boolean needsInputGrad(int input);

    /**
     * Whether {@link DifferentiableFunction#backward} is given zeros for gradients that nobody has;
     * so at first.
     */
    void materializeGrads(boolean wanted);
  }

  protected DifferentiableFunction() {}

  /** The results. */
  protected abstract Tensor[] forward(Context context, Tensor... inputs);

  /** The inputs' gradients, as many as there are inputs; null for none. */
  protected abstract Tensor[] backward(Context context, Tensor... gradients);

  /** The one result. */
  public static Tensor apply(DifferentiableFunction function, Tensor... inputs) {
    Tensor[] results = applyAll(function, inputs);
    if (results.length != 1) {
      throw new IllegalStateException(
          name(function.getClass())
              + ": forward gave "
              + results.length
              + " results; use applyAll");
    }
    return results[0];
  }

  /** All results. */
  public static Tensor[] applyAll(DifferentiableFunction function, Tensor... inputs) {
    return FunctionCalls.apply(
        name(function.getClass()), function::forward, function::backward, inputs);
  }

  /** What errors and graphs call it; a class without a name has its number. */
  private static String name(Class<?> type) {
    return type.isAnonymousClass()
        ? type.getName().substring(type.getName().lastIndexOf('.') + 1)
        : type.getSimpleName();
  }
}
