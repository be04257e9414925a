package dev.jcomms.tensor;

import dev.jcomms.tensor.internal.TensorAccess;

/** Gives the module's other packages what only this one can see. */
final class Internals extends TensorAccess {
  @Override
  protected long keysOf(Tensor t) {
    return t.keys();
  }

  @Override
  protected void setRequiresGrad(Tensor t, boolean wanted) {
    t.keys = wanted ? t.keys | REQUIRES_GRAD : t.keys & ~REQUIRES_GRAD;
  }

  @Override
  protected void setRewritten(Tensor t) {
    t.keys |= REWRITTEN;
  }

  @Override
  protected void setFollowed(Tensor t) {
    t.keys &= ~UNFOLLOWED;
  }

  @Override
  protected Tensor baseOf(Tensor t) {
    return t.base;
  }

  @Override
  protected void setBaseOf(Tensor t, Tensor base) {
    t.base = base;
  }

  @Override
  protected Tensor detachedOf(Tensor t) {
    return new Tensor(t.storage(), t.dtype(), t.shape(), t.ownStrides(), t.offset());
  }

  @Override
  protected void fill(Tensor t, Scalar value) {
    if (value.isFloating()) {
      Copies.fill(t, value.toDouble());
    } else {
      Copies.fill(t, value.toLong());
    }
  }

  @Override
  protected long[] stridesOf(Tensor t) {
    return t.ownStrides();
  }

  @Override
  protected long[] sizesOf(Shape shape) {
    return shape.sizes();
  }

  @Override
  protected Shape shapeOf(long[] sizes) {
    return Shape.own(sizes);
  }

  @Override
  protected long[] contiguousStridesOf(Shape shape) {
    return shape.contiguousStrides();
  }

  @Override
  protected String factsOf(Tensor t) {
    return t.facts();
  }

  @Override
  protected Tensor viewOf(Tensor t, Shape shape, long[] strides, long offset) {
    return t.view(shape, strides, offset);
  }

  @Override
  protected Object gradientOf(Tensor t) {
    return t.gradient;
  }

  @Override
  protected void setGradientOf(Tensor t, Object gradient) {
    t.gradient = gradient;
  }

  @Override
  protected long versionOf(Storage s) {
    return s.version();
  }

  @Override
  protected void bump(Storage s) {
    s.changed();
  }

  @Override
  protected void copy(Tensor to, Tensor from) {
    Copies.onHost(to, from);
  }

  @Override
  protected void fill(Tensor to, Tensor element) {
    if (element.dtype().isFloating()) {
      Copies.fill(to, element.getDouble());
    } else {
      Copies.fill(to, element.getLong());
    }
  }
}
