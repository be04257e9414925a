package dev.jcomms.tensor;

/** Of {@link Tensor}: the common operators as methods, each one call of {@link Ops}. */
abstract sealed class Fluent extends Differentiable permits Viewing {
  Fluent() {}
}
