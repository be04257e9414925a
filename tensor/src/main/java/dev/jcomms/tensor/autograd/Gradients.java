package dev.jcomms.tensor.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.autograd.Passes;
import java.util.List;
import java.util.function.Consumer;

/**
 * Backward passes. They run on the calling thread; passes over graphs that share nodes may run on
 * several threads if their graphs are retained.
 */
public final class Gradients {
  private Gradients() {}

  /**
   * Adds the gradients of the outputs to {@code grad()} of every leaf they depend on.
   *
   * @param gradients one an output, of its shape; null, or a null in it, stands for 1, which only
   *     an output of one element may have
   * @param retainGraph whether the graph can be gone through again; else what it kept is freed
   * @param createGraph whether the gradients can themselves be differentiated
   * @throws IllegalStateException if an output requires no gradient, or the graph was freed
   * @throws IllegalArgumentException if a gradient does not fit its output
   */
  public static void backward(
      List<Tensor> outputs, List<Tensor> gradients, boolean retainGraph, boolean createGraph) {
    Passes.backward(outputs, gradients, retainGraph, createGraph);
  }

  /** As the other, for one output, freeing its graph. */
  public static void backward(Tensor output, Tensor gradient) {
    Passes.backward(List.of(output), one(gradient), false, false);
  }

  /**
   * The gradients of the outputs by the inputs, in their order; {@code grad()} of leaves stays as
   * it is.
   *
   * @param allowUnused whether an input that no output depends on has null for a gradient; else it
   *     is an error
   * @throws IllegalStateException as {@link #backward}; or if an input requires no gradient or is
   *     not used
   */
  public static List<Tensor> grad(
      List<Tensor> outputs,
      List<Tensor> inputs,
      List<Tensor> gradOutputs,
      boolean retainGraph,
      boolean createGraph,
      boolean allowUnused) {
    return Passes.grad(outputs, inputs, gradOutputs, retainGraph, createGraph, allowUnused);
  }

  /** The gradient of a number by one input, freeing the graph. */
  public static Tensor grad(Tensor output, Tensor input) {
    return grad(List.of(output), List.of(input), null, false, false, false).getFirst();
  }

  /**
   * Calls {@code ending} once the backward pass that runs on this thread has ended, on this thread
   * and before the pass returns: with null, or with what the pass failed by. For hooks, which are
   * called in the middle of a pass; of a pass inside a pass, the inner one counts. What {@code
   * ending} throws, the pass throws.
   *
   * @throws IllegalStateException if no pass runs on this thread
   */
  public static void whenPassEnds(Consumer<Throwable> ending) {
    Passes.whenPassEnds(ending);
  }

  private static List<Tensor> one(Tensor gradient) {
    return gradient == null ? null : List.of(gradient);
  }
}
