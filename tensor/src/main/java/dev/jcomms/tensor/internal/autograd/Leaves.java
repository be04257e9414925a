package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import dev.jcomms.tensor.internal.TensorAccess;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What a tensor's own methods ask of the graph. */
public final class Leaves {
  private Leaves() {}

  public static boolean isLeaf(Tensor t) {
    return !Places.requiresGrad(t) || Places.node(t) == null;
  }

  /** The operator that made the tensor; null for a leaf. */
  public static String madeBy(Tensor t) {
    Node node = Places.requiresGrad(t) ? Places.node(t) : null;
    return node == null ? null : node.name();
  }

  /** The call that made the tensor as PyTorch prints it: {@code MulBackward0}; null for a leaf. */
  public static String label(Tensor t) {
    Node node = Places.requiresGrad(t) ? Places.node(t) : null;
    return node == null ? null : node.label();
  }

  public static void requireGrad(Tensor t, boolean wanted) {
    if (wanted && !t.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "requiresGrad: only tensors of floating point dtype can require gradients; this one is "
              + t.dtype());
    }
    if (!isLeaf(t)) {
      if (wanted) {
        return;
      }
      throw new IllegalStateException(
          "requiresGrad: only of leaves can this be changed, and this tensor is a result of "
              + madeBy(t)
              + "; use detach()");
    }
    TensorAccess.requireGrad(t, wanted);
  }

  public static Tensor grad(Tensor t) {
    Place place = Place.of(t);
    return place == null ? null : place.grad;
  }

  public static void setGrad(Tensor t, Tensor grad) {
    if (grad == t) {
      throw new IllegalArgumentException("setGrad: a tensor cannot be its own gradient");
    }
    if (grad != null
        && (grad.dtype() != t.dtype()
            || !grad.shape().equals(t.shape())
            || !grad.device().equals(t.device()))) {
      throw new IllegalArgumentException(
          "setGrad: gradient "
              + grad.dtype()
              + " of shape "
              + grad.shape()
              + " on "
              + grad.device()
              + " does not fit tensor "
              + t.dtype()
              + " of shape "
              + t.shape()
              + " on "
              + t.device());
    }
    if (grad != null || Place.of(t) != null) {
      Place.make(t).grad = grad;
    }
  }

  /** Has the gradient kept also if the tensor is no leaf. */
  public static void retainGrad(Tensor t) {
    requireGradOf(t, "retainGrad");
    if (Places.node(t) != null) {
      Place.of(t).keepGrad();
    }
  }

  public static RegistrationHandle hook(Tensor t, UnaryOperator<Tensor> hook) {
    requireGradOf(t, "registerHook");
    Node node = Places.node(t);
    return node == null ? Places.leaf(t).hook(0, hook) : node.hook(Place.of(t).output, hook);
  }

  public static RegistrationHandle afterAccumulation(Tensor t, Consumer<Tensor> hook) {
    requireGradOf(t, "registerPostAccumulateGradHook");
    if (Places.node(t) != null) {
      throw new IllegalStateException(
          "registerPostAccumulateGradHook: only leaves accumulate gradients, and this tensor is a"
              + " result of "
              + madeBy(t));
    }
    return Places.leaf(t).afterwards(hook);
  }

  private static void requireGradOf(Tensor t, String what) {
    if (!Places.requiresGrad(t)) {
      throw new IllegalStateException(what + ": the tensor does not require grad");
    }
  }
}
