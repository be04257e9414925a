package dev.jcomms.tensor;

import dev.jcomms.tensor.autograd.Gradients;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.autograd.Leaves;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Of {@link Tensor}: its part in gradients. */
abstract sealed class Differentiable extends Creation permits Fluent {
  Differentiable() {}

  abstract Tensor self();

  /** Whether calls with this tensor are recorded, so that a gradient by it can be had. */
  public boolean requiresGrad() {
    return (TensorAccess.keys(self()) & TensorAccess.REQUIRES_GRAD) != 0;
  }

  /**
   * Makes a leaf require a gradient, or no more; returns this tensor.
   *
   * @throws IllegalArgumentException if the dtype is not floating
   * @throws IllegalStateException if the tensor is a recorded result and {@code wanted} is false
   */
  public Tensor requiresGrad(boolean wanted) {
    Leaves.requireGrad(self(), wanted);
    return self();
  }

  /** Whether no recorded call made it. */
  public boolean isLeaf() {
    return Leaves.isLeaf(self());
  }

  /** The gradient that backward passes have left here; null if there was none. */
  public Tensor grad() {
    return Leaves.grad(self());
  }

  /** Puts a gradient there, or none; returns this tensor. */
  public Tensor setGrad(Tensor grad) {
    Leaves.setGrad(self(), grad);
    return self();
  }

  /** Forgets the gradient: the next pass makes a new one. */
  public void zeroGrad() {
    Leaves.setGrad(self(), null);
  }

  /** Adds the gradients of this number to all leaves it depends on, and frees the graph. */
  public void backward() {
    Gradients.backward(self(), null);
  }

  /** The same for any tensor, whose own gradient is given. */
  public void backward(Tensor gradient) {
    Gradients.backward(self(), gradient);
  }

  /** The same elements, out of the graph. */
  public Tensor detach() {
    return Ops.detach(self());
  }

  /** Has {@link #grad} kept though this is no leaf; returns this tensor. */
  public Tensor retainGrad() {
    Leaves.retainGrad(self());
    return self();
  }

  /**
   * Shows every gradient by this tensor to {@code hook} before it is used; what the hook returns
   * takes its place, unless that is null: another of the same shape, dtype and device.
   */
  public RegistrationHandle registerHook(UnaryOperator<Tensor> hook) {
    return Leaves.hook(self(), hook);
  }

  /**
   * Calls {@code hook} with this leaf right after a pass has added to its gradient, on the thread
   * of the pass.
   */
  public RegistrationHandle registerPostAccumulateGradHook(Consumer<Tensor> hook) {
    return Leaves.afterAccumulation(self(), hook);
  }
}
