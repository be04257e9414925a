package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.internal.Views;

/**
 * Of {@link Tensor}: views and copies. On a plain CPU tensor they are made at once; on a device, or
 * where a gradient is wanted, they are operators.
 */
abstract sealed class Viewing extends Fluent permits Tensor {
  Viewing() {}

  /** {@code length} indexes of one dimension from {@code start} on. */
  public Tensor narrow(int dim, long start, long length) {
    return self().isPlain()
        ? Views.narrow(self(), dim, start, length)
        : call("aten::narrow", (long) dim, start, length);
  }

  /** Python's {@code start:end:step} on one dimension: clamped, never out of bounds. */
  public Tensor slice(int dim, long start, long end, long step) {
    return self().isPlain()
        ? Views.slice(self(), dim, start, end, step)
        : Ops.slice(self(), dim, start, end, step);
  }

  /** One index of a dimension, which goes away. */
  public Tensor select(int dim, long index) {
    return self().isPlain() ? Views.select(self(), dim, index) : Ops.select(self(), dim, index);
  }

  public Tensor transpose(int a, int b) {
    return self().isPlain() ? Views.transpose(self(), a, b) : Ops.transpose(self(), a, b);
  }

  /** Transposes a 2-d tensor; fewer dimensions come back as they are. */
  public Tensor t() {
    return self().isPlain() ? Views.t(self()) : call("aten::t");
  }

  public Tensor permute(int... order) {
    if (self().isPlain()) {
      return Views.permute(self(), order);
    }
    long[] dims = new long[order.length];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = order[i];
    }
    return Ops.permute(self(), dims);
  }

  /**
   * The same elements in logical order under another shape; one size may be -1.
   *
   * @throws IllegalArgumentException if the counts differ, or the strides would need a copy
   */
  public Tensor view(long... sizes) {
    return self().isPlain() ? Views.view(self(), sizes) : Ops.view(self(), sizes);
  }

  public Tensor view(Shape shape) {
    return view(shape.sizes());
  }

  /** A view where {@link #view} gives one, a copy otherwise. */
  public Tensor reshape(long... sizes) {
    return self().isPlain() ? Views.reshape(self(), sizes) : Ops.reshape(self(), sizes);
  }

  public Tensor reshape(Shape shape) {
    return reshape(shape.sizes());
  }

  /** One dimension of all elements: a view or a copy as {@link #reshape}. */
  public Tensor flatten() {
    return self().shape().dims() == 1 ? self() : reshape(-1);
  }

  /** Inserts a dimension of size 1 before {@code dim}. */
  public Tensor unsqueeze(int dim) {
    return self().isPlain() ? Views.unsqueeze(self(), dim) : Ops.unsqueeze(self(), dim);
  }

  /** Drops every dimension of size 1. */
  public Tensor squeeze() {
    return self().isPlain() ? Views.squeeze(self()) : Ops.squeeze(self());
  }

  /** Drops one dimension if its size is 1. */
  public Tensor squeeze(int dim) {
    return self().isPlain() ? Views.squeeze(self(), dim) : Ops.squeeze(self(), dim);
  }

  /** Repeats dimensions of size 1, and new leading ones, without memory; -1 keeps a size. */
  public Tensor expand(long... sizes) {
    return self().isPlain() ? Views.expand(self(), sizes) : Ops.expand(self(), sizes);
  }

  public Tensor expand(Shape shape) {
    return expand(shape.sizes());
  }

  /** This tensor if contiguous, a copy otherwise. */
  public Tensor contiguous() {
    return self().isContiguous() ? self() : copy();
  }

  /** A new contiguous tensor with these elements, on the same device. */
  public Tensor copy() {
    if (!self().isPlain()) {
      return Ops.clone(self());
    }
    Tensor made = empty(self().dtype(), self().shape());
    Copies.copy(made, self());
    return made;
  }

  /** This tensor if it has that dtype, a converted copy otherwise. */
  public Tensor to(DType dtype) {
    if (dtype == self().dtype()) {
      return self();
    }
    if (!self().isPlain()) {
      return Ops.toCopy(self(), dtype, null);
    }
    Tensor made = empty(dtype, self().shape());
    Copies.copy(made, self());
    return made;
  }

  /** This tensor if it is there, a copy on that device otherwise. */
  public Tensor to(Device device) {
    return device.equals(self().device()) ? self() : Ops.toCopy(self(), null, device);
  }

  /** This tensor if it has that dtype and is there, a converted copy on that device otherwise. */
  public Tensor to(Device device, DType dtype) {
    return device.equals(self().device()) ? to(dtype) : Ops.toCopy(self(), dtype, device);
  }

  /** This tensor if it is in the host's memory, a copy there otherwise. */
  public Tensor cpu() {
    return to(Device.CPU);
  }

  /** One element of the storage as a 0-d view that gradients follow. */
  Tensor element(long offset) {
    return call("aten::as_strided", new long[0], new long[0], offset);
  }

  private Tensor call(String name, Object... rest) {
    Object[] all = new Object[rest.length + 1];
    all[0] = self();
    System.arraycopy(rest, 0, all, 1, rest.length);
    return (Tensor) Dispatcher.call(name, all);
  }
}
