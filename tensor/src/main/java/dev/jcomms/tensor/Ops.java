package dev.jcomms.tensor;

/**
 * The operators as static methods, named as PyTorch's in Java spelling; a trailing underscore means
 * in place, as there. Each goes through the dispatcher: to the device of its arguments, and into
 * the gradient graph where one of them requires a gradient. Any thread may call them.
 *
 * <p>Every operator, also those without a method here, can be called by name through {@link
 * dev.jcomms.tensor.dispatch.Dispatcher#call}.
 */
public final class Ops extends RandomOps {
  private Ops() {}
}
