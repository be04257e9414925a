package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Distances between vectors, and the losses that want them beyond a margin. */
final class MarginOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private MarginOps() {}

  static void define(Definitions d) {
    d.op("cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor")
        .composite(LOOKUP, "cosineSimilarity");
    d.op(
            "pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=1e-06, bool"
                + " keepdim=False) -> Tensor")
        .composite(LOOKUP, "pairwiseDistance");
    d.op("cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor")
        .composite(LOOKUP, "cdist");
    d.op("pdist(Tensor self, float p=2.) -> Tensor").composite(LOOKUP, "pdist");
    d.op(
            "hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1)"
                + " -> Tensor")
        .composite(LOOKUP, "hingeEmbeddingLoss");
    d.op(
            "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.,"
                + " int reduction=1) -> Tensor")
        .composite(LOOKUP, "cosineEmbeddingLoss");
    d.op(
            "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.,"
                + " int reduction=1) -> Tensor")
        .composite(LOOKUP, "marginRankingLoss");
    d.op(
            "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.,"
                + " float p=2., float eps=1e-06, bool swap=False, int reduction=1) -> Tensor")
        .composite(LOOKUP, "tripletMarginLoss");
    d.op(
            "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor?"
                + " weight=None, int reduction=1) -> Tensor")
        .composite(LOOKUP, "multiMarginLoss")
        .exactOut("out");
  }

  static Tensor cosineSimilarity(Tensor x1, Tensor x2, long dim, double eps) {
    DType dtype = Promotion.of(x1, x2);
    if (!dtype.isFloating()) {
      throw new IllegalArgumentException(
          "cosine_similarity: needs floats, but they promote to " + dtype);
    }
    Shape shape = Shapes.broadcast("cosine_similarity", x1.shape(), x2.shape());
    int d = TensorAccess.wrap(dim, Math.max(1, shape.dims()), "cosine_similarity of " + shape);
    if (shape.dims() == 0) {
      return Ops.mul(direction(x1, dtype, shape, -1, eps), direction(x2, dtype, shape, -1, eps));
    }
    return Ops.sum(
        Ops.mul(direction(x1, dtype, shape, d, eps), direction(x2, dtype, shape, d, eps)), d);
  }

  private static Tensor direction(Tensor x, DType dtype, Shape shape, int dim, double eps) {
    Tensor same = x.dtype() == dtype ? x : Ops.toCopy(x, dtype, null);
    Tensor wide = Ops.expand(same, shape.toArray());
    long[] over = dim < 0 ? new long[0] : new long[] {dim};
    Tensor length = Ops.vectorNorm(wide, Scalar.of(2), over, true, null);
    return Ops.div(wide, Ops.clampMin(length, Scalar.of(eps)));
  }

  static Tensor pairwiseDistance(Tensor x1, Tensor x2, double p, double eps, boolean keepDim) {
    Tensor apart = Ops.add(Ops.sub(x1, x2), Scalar.of(eps));
    long last = Math.max(x1.shape().dims(), x2.shape().dims()) - 1;
    return Ops.norm(apart, Scalar.of(p), new long[] {last}, keepDim);
  }

  static Tensor cdist(Tensor x1, Tensor x2, double p, Long computeMode) {
    if (x1.shape().dims() < 2
        || x2.shape().dims() < 2
        || x1.shape().size(-1) != x2.shape().size(-1)) {
      throw new IllegalArgumentException(
          "cdist: shapes " + x1.shape() + " and " + x2.shape() + " are not rows of one length");
    }
    if (!x1.dtype().isFloating() || !x2.dtype().isFloating() || !(p >= 0)) {
      throw new IllegalArgumentException(
          "cdist: needs floats and p of 0 or more, but has "
              + x1.dtype()
              + ", "
              + x2.dtype()
              + " and p="
              + p);
    }
    if (computeMode != null && (computeMode < 0 || computeMode > 2)) {
      throw new IllegalArgumentException(
          "cdist: compute_mode=" + computeMode + " is not 0, 1 or 2");
    }
    Tensor apart = Ops.sub(Ops.unsqueeze(x1, -2), Ops.unsqueeze(x2, -3));
    return length(apart, p);
  }

  static Tensor pdist(Tensor self, double p) {
    if (self.shape().dims() != 2 || !self.dtype().isFloating() || !(p >= 0)) {
      throw new IllegalArgumentException(
          "pdist: needs a matrix of floats and p of 0 or more, but has "
              + self.dtype()
              + self.shape()
              + " and p="
              + p);
    }
    long n = self.shape().size(0);
    Tensor pairs = SequenceOps.triuIndices(n, n, 1, null, null, self.device(), null);
    Tensor first = Ops.indexSelect(self, 0, Ops.select(pairs, 0, 0));
    Tensor second = Ops.indexSelect(self, 0, Ops.select(pairs, 0, 1));
    return length(Ops.sub(first, second), p);
  }

  /** Of no coordinates all is in one place. */
  private static Tensor length(Tensor apart, double p) {
    return apart.shape().size(-1) == 0
        ? Ops.sum(apart, -1)
        : Ops.vectorNorm(apart, Scalar.of(p), new long[] {-1}, false, null);
  }

  static Tensor hingeEmbeddingLoss(Tensor self, Tensor target, double margin, long reduction) {
    Tensor zero = ScalarTensors.of(Scalar.ZERO, self.dtype(), self.device());
    Tensor beyond = Ops.clampMin(Ops.rsub(self, Scalar.of(margin), Scalar.ONE), Scalar.ZERO);
    Tensor apart = Ops.where(Ops.ne(target, Scalar.ONE), beyond, zero);
    Tensor alike = Ops.where(Ops.ne(target, Scalar.of(-1)), self, zero);
    return DivergenceOps.reduced(Ops.add(apart, alike), reduction);
  }

  static Tensor cosineEmbeddingLoss(
      Tensor input1, Tensor input2, Tensor target, double margin, long reduction) {
    int dim = target.shape().dims();
    if (dim > 1 || input1.shape().dims() != dim + 1 || input2.shape().dims() != dim + 1) {
      throw new IllegalArgumentException(
          "cosine_embedding_loss: inputs of shapes "
              + input1.shape()
              + " and "
              + input2.shape()
              + " must have one dim more than the target of "
              + target.shape()
              + ", which has at most one");
    }
    Scalar little = Scalar.of(1e-12);
    Tensor product = Ops.sum(Ops.mul(input1, input2), dim);
    Tensor first = Ops.add(Ops.sum(Ops.mul(input1, input1), dim), little);
    Tensor second = Ops.add(Ops.sum(Ops.mul(input2, input2), dim), little);
    Tensor cosine = Ops.div(product, Ops.sqrt(Ops.mul(first, second)));
    Tensor zero = ScalarTensors.of(Scalar.ZERO, cosine.dtype(), cosine.device());
    Tensor alike = Ops.rsub(cosine, Scalar.ONE, Scalar.ONE);
    Tensor apart = Ops.clampMin(Ops.add(cosine, Scalar.of(-margin)), Scalar.ZERO);
    Tensor each =
        Ops.add(
            Ops.where(Ops.eq(target, Scalar.ONE), alike, zero),
            Ops.where(Ops.eq(target, Scalar.of(-1)), apart, zero));
    return DivergenceOps.reduced(each, reduction);
  }

  static Tensor marginRankingLoss(
      Tensor input1, Tensor input2, Tensor target, double margin, long reduction) {
    Tensor wrong = Ops.mul(Ops.neg(target), Ops.sub(input1, input2));
    return DivergenceOps.reduced(
        Ops.clampMin(Ops.add(wrong, Scalar.of(margin)), Scalar.ZERO), reduction);
  }

  static Tensor tripletMarginLoss(
      Tensor anchor,
      Tensor positive,
      Tensor negative,
      double margin,
      double p,
      double eps,
      boolean swap,
      long reduction) {
    int dims = anchor.shape().dims();
    if (positive.shape().dims() != dims || negative.shape().dims() != dims) {
      throw new IllegalArgumentException(
          "triplet_margin_loss: anchor, positive and negative must have as many dims, but are "
              + anchor.shape()
              + ", "
              + positive.shape()
              + " and "
              + negative.shape());
    }
    Tensor near = pairwiseDistance(anchor, positive, p, eps, false);
    Tensor far = pairwiseDistance(anchor, negative, p, eps, false);
    if (swap) {
      far = Ops.minimum(far, pairwiseDistance(positive, negative, p, eps, false));
    }
    Tensor each = Ops.clampMin(Ops.add(Ops.sub(near, far), Scalar.of(margin)), Scalar.ZERO);
    return DivergenceOps.reduced(each, reduction);
  }

  static Tensor multiMarginLoss(
      Tensor self, Tensor target, Scalar p, Scalar margin, Tensor weight, long reduction) {
    int dims = self.shape().dims();
    long classes = dims == 0 ? 1 : self.shape().size(-1);
    long samples = dims < 2 ? 1 : self.shape().size(0);
    if (dims > 2
        || classes == 0
        || target.shape().dims() > 1
        || target.elements() != samples
        || target.dtype() != DType.I64
        || !self.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "multi_margin_loss: input of "
              + self.dtype()
              + self.shape()
              + " does not go with target of "
              + target.dtype()
              + target.shape());
    }
    if (p.toDouble() != 1 && p.toDouble() != 2) {
      throw new IllegalArgumentException("multi_margin_loss: p=" + p + " is neither 1 nor 2");
    }
    if (weight != null && (weight.shape().dims() > 1 || weight.elements() != classes)) {
      throw new IllegalArgumentException(
          "multi_margin_loss: weight of shape=" + weight.shape() + ", but classes=" + classes);
    }
    Tensor scores = Ops.reshape(self, samples, classes);
    Tensor right = Ops.reshape(target, samples, 1);
    Tensor beyond = Ops.sub(scores, Ops.gather(scores, 1, right));
    Tensor each = Ops.clampMin(Ops.add(beyond, margin), Scalar.ZERO);
    if (p.toDouble() == 2) {
      each = Ops.mul(each, each);
    }
    if (weight != null) {
      each = Ops.mul(each, Ops.reshape(Ops.indexSelect(weight, 0, Ops.reshape(right, -1)), -1, 1));
    }
    Tensor others = Ops.scatter(each, 1, right, Scalar.ZERO);
    Tensor loss = Ops.div(Ops.sum(others, 1), Scalar.of((double) classes));
    return DivergenceOps.reduced(
        dims < 2 && target.shape().dims() == 0 ? Ops.reshape(loss) : loss, reduction);
  }
}
