package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Unfollowed;

/**
 * Which call made a tensor. Views follow their base: an in-place call on either gives the base a
 * new history, and a view that is looked at afterwards is a strided view of the new one.
 */
final class Places {
  private Places() {}

  static boolean requiresGrad(Tensor t) {
    return (TensorAccess.keys(t) & TensorAccess.REQUIRES_GRAD) != 0;
  }

  /** The call that made the tensor; null for a leaf. */
  static Node node(Tensor t) {
    Tensor base = TensorAccess.base(t);
    Place place = Place.of(t);
    if (base != null) {
      Place under = Place.of(base);
      if (under != null && under.node != null && (place == null || place.seen != under.rewrites)) {
        if (place != null && place.oneOfMany) {
          throw new IllegalStateException(
              "a tensor is one of several views that one call returned, and its base or another"
                  + " view of it was modified in place since; take it with select, narrow or"
                  + " slice");
        }
        place = Place.make(t);
        place.become(new StridedViewNode(base, t), 0);
        place.seen = under.rewrites;
        TensorAccess.requireGrad(t, true);
      }
    }
    return place == null ? null : place.node;
  }

  /** Where gradients of a leaf end: one node for the life of the tensor. */
  static LeafNode leaf(Tensor t) {
    Place place = Place.make(t);
    synchronized (place) {
      if (place.leaf == null) {
        place.leaf = new LeafNode(t);
      }
      return place.leaf;
    }
  }

  /**
   * A new tensor is the result of a call, and its own base: a kernel may have made it as a view of
   * memory of its own, which no gradient leads to.
   */
  static void madeBy(Tensor made, Node node, int output) {
    TensorAccess.setBase(made, null);
    Place.make(made).become(node, output);
    TensorAccess.requireGrad(made, true);
  }

  /** A new tensor is the result of a call and a view of {@code of}. */
  static void viewMadeBy(Tensor made, Tensor of, Node node, int output, boolean oneOfMany) {
    Tensor base = TensorAccess.base(of) != null ? TensorAccess.base(of) : of;
    madeBy(made, node, output);
    TensorAccess.setBase(made, base);
    TensorAccess.follow(made);
    Place place = Place.of(made);
    Place under = Place.of(base);
    place.seen = under == null ? 0 : under.rewrites;
    Place from = Place.of(of);
    place.oneOfMany = oneOfMany || from != null && of != base && from.oneOfMany;
  }

  /**
   * Refuses an in-place call where a graph cannot follow it. To be asked before anything is
   * written.
   */
  static void requireWritable(Tensor t, String call) {
    Unfollowed.refuse(t, GradMode::isEnabled);
    Tensor base = TensorAccess.base(t);
    boolean leaf = requiresGrad(t) && node(t) == null;
    if (leaf) {
      throw new IllegalStateException(
          call
              + ": a leaf that requires grad is being used in an in-place operation; do it under"
              + " GradMode.noGrad(), or on a copy");
    }
    if (base != null && requiresGrad(base) && node(base) == null) {
      throw new IllegalStateException(
          call
              + ": a view of a leaf that requires grad is being used in an in-place operation; do"
              + " it under GradMode.noGrad(), or on a copy");
    }
    Place place = Place.of(t);
    if (place != null && place.oneOfMany && base != null) {
      throw new IllegalStateException(
          call
              + ": the tensor is one of several views that one call returned, and such a view"
              + " cannot be modified in place; take it with select, narrow or slice");
    }
  }

  /** A tensor was written by a call whose edge {@code self} is its old value. */
  static void rewrittenBy(Tensor t, Node node, int output, int self) {
    Tensor base = TensorAccess.base(t);
    if (base == null) {
      Place place = Place.make(t);
      place.become(node, output);
      place.rewrites++;
      TensorAccess.requireGrad(t, true);
      TensorAccess.rewritten(t);
      return;
    }
    Node whole = new WrittenViewNode(base, t, node, output, self);
    Place under = Place.make(base);
    under.become(whole, 0);
    under.rewrites++;
    TensorAccess.requireGrad(base, true);
    TensorAccess.rewritten(base);
    TensorAccess.requireGrad(t, true); // its node is made when somebody looks
  }
}
