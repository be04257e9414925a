package dev.jcomms.tensor.internal;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;

/**
 * What the packages of this module may ask of a tensor and nobody else may: its raw strides, its
 * dispatch keys, its place in a gradient graph. {@code Tensor} itself gives the implementation when
 * it is loaded.
 */
public abstract class TensorAccess {
  /** In a tensor's word of keys: a gradient is wanted for it. */
  public static final long REQUIRES_GRAD = 1L << 62;

  /** In a tensor's word of keys: an in-place call has given it, and its views, a new history. */
  public static final long REWRITTEN = 1L << 61;

  /**
   * In a tensor's word of keys: it is a view, made while nothing was recorded, of one that
   * gradients know. What is written into it while something is recorded would go unseen.
   */
  public static final long UNFOLLOWED = 1L << 60;

  /** All bits that have to do with gradients. */
  public static final long GRADIENT = REQUIRES_GRAD | REWRITTEN | UNFOLLOWED;

  private static TensorAccess access;

  protected TensorAccess() {}

  /** For {@code Tensor}'s own initialiser. */
  public static void set(TensorAccess given) {
    access = given;
  }

  private static final class Held {
    static final TensorAccess ACCESS = load();

    private static TensorAccess load() {
      Tensor.zeros(Shape.of(0)); // runs the initialiser
      return access;
    }
  }

  /** Runtime dispatch keys by ordinal, and {@link #REQUIRES_GRAD}. */
  public static long keys(Tensor t) {
    return Held.ACCESS.keysOf(t);
  }

  public static void requireGrad(Tensor t, boolean wanted) {
    Held.ACCESS.setRequiresGrad(t, wanted);
  }

  public static void rewritten(Tensor t) {
    Held.ACCESS.setRewritten(t);
  }

  /** The view that the tensor is has got a base: gradients follow it. */
  public static void follow(Tensor t) {
    Held.ACCESS.setFollowed(t);
  }

  /** Of a view that gradients follow: the tensor under it, itself no view; null if it is none. */
  public static Tensor base(Tensor t) {
    return Held.ACCESS.baseOf(t);
  }

  public static void setBase(Tensor t, Tensor base) {
    Held.ACCESS.setBaseOf(t, base);
  }

  /** The same elements under a header that gradients know nothing of. */
  public static Tensor detached(Tensor t) {
    return Held.ACCESS.detachedOf(t);
  }

  /** The strides themselves; not to be written. */
  public static long[] strides(Tensor t) {
    return Held.ACCESS.stridesOf(t);
  }

  /** The sizes themselves; not to be written. */
  public static long[] sizes(Shape shape) {
    return Held.ACCESS.sizesOf(shape);
  }

  /** A shape that keeps the array: the caller must not use it again. */
  public static Shape shape(long[] sizes) {
    return Held.ACCESS.shapeOf(sizes);
  }

  public static long[] contiguousStrides(Shape shape) {
    return Held.ACCESS.contiguousStridesOf(shape);
  }

  /** A dimension counted from the front, out of one that may be counted from the back. */
  public static int wrap(long dim, int dims, Object whose) {
    if (dim < -dims || dim >= dims) {
      throw new IndexOutOfBoundsException(
          "dim=" + dim + " is not a dimension of " + whose + " (dims " + dims + ")");
    }
    return (int) (dim < 0 ? dim + dims : dim);
  }

  /** The header in one line, for messages. */
  public static String facts(Tensor t) {
    return Held.ACCESS.factsOf(t);
  }

  /** A view of the same storage, which the caller knows to be inside it. Strides are not copied. */
  public static Tensor view(Tensor t, Shape shape, long[] strides, long offset) {
    return Held.ACCESS.viewOf(t, shape, strides, offset);
  }

  /** What the gradient engine has hung on the tensor; null if nothing. */
  public static Object gradient(Tensor t) {
    return Held.ACCESS.gradientOf(t);
  }

  public static void setGradient(Tensor t, Object gradient) {
    Held.ACCESS.setGradientOf(t, gradient);
  }

  /** How often the storage's elements were changed by an operator: views share the count. */
  public static long version(Storage s) {
    return Held.ACCESS.versionOf(s);
  }

  public static void changed(Tensor t) {
    Held.ACCESS.bump(t.storage());
  }

  /** Writes elements where Java can touch both sides; past the dispatcher. */
  public static void copyOnHost(Tensor to, Tensor from) {
    Held.ACCESS.copy(to, from);
  }

  /** Writes one number everywhere, where Java can touch the memory; past the dispatcher. */
  public static void fillOnHost(Tensor t, Scalar value) {
    Held.ACCESS.fill(t, value);
  }

  protected abstract void fill(Tensor t, Scalar value);

  /** Writes the one element of a tensor everywhere in another; past the dispatcher. */
  public static void fillOnHost(Tensor to, Tensor element) {
    Held.ACCESS.fill(to, element);
  }

  protected abstract long keysOf(Tensor t);

  protected abstract void setRequiresGrad(Tensor t, boolean wanted);

  protected abstract void setRewritten(Tensor t);

  protected abstract void setFollowed(Tensor t);

  protected abstract Tensor baseOf(Tensor t);

  protected abstract void setBaseOf(Tensor t, Tensor base);

  protected abstract Tensor detachedOf(Tensor t);

  protected abstract long[] stridesOf(Tensor t);

  protected abstract long[] sizesOf(Shape shape);

  protected abstract Shape shapeOf(long[] sizes);

  protected abstract long[] contiguousStridesOf(Shape shape);

  protected abstract String factsOf(Tensor t);

  protected abstract Tensor viewOf(Tensor t, Shape shape, long[] strides, long offset);

  protected abstract Object gradientOf(Tensor t);

  protected abstract void setGradientOf(Tensor t, Object gradient);

  protected abstract long versionOf(Storage s);

  protected abstract void bump(Storage s);

  protected abstract void copy(Tensor to, Tensor from);

  protected abstract void fill(Tensor to, Tensor element);
}
