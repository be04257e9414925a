package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: losses by margin, likelihood and distance; norms of groups; attention. */
abstract sealed class LossOps extends SpecialOps permits ProductOps {
  private static final Operator HUBER_LOSS = operator("aten::huber_loss");
  private static final Operator SMOOTH_L1_LOSS = operator("aten::smooth_l1_loss");
  private static final Operator L1_LOSS = operator("aten::l1_loss");
  private static final Operator BINARY_CROSS_ENTROPY = operator("aten::binary_cross_entropy");
  private static final Operator BINARY_CROSS_ENTROPY_WITH_LOGITS =
      operator("aten::binary_cross_entropy_with_logits");
  private static final Operator KL_DIV = operator("aten::kl_div");
  private static final Operator POISSON_NLL_LOSS = operator("aten::poisson_nll_loss");
  private static final Operator SOFT_MARGIN_LOSS = operator("aten::soft_margin_loss");
  private static final Operator HINGE_EMBEDDING_LOSS = operator("aten::hinge_embedding_loss");
  private static final Operator COSINE_EMBEDDING_LOSS = operator("aten::cosine_embedding_loss");
  private static final Operator MARGIN_RANKING_LOSS = operator("aten::margin_ranking_loss");
  private static final Operator TRIPLET_MARGIN_LOSS = operator("aten::triplet_margin_loss");
  private static final Operator MULTI_MARGIN_LOSS = operator("aten::multi_margin_loss");
  private static final Operator COSINE_SIMILARITY = operator("aten::cosine_similarity");
  private static final Operator PAIRWISE_DISTANCE = operator("aten::pairwise_distance");
  private static final Operator CDIST = operator("aten::cdist");
  private static final Operator PDIST = operator("aten::pdist");
  private static final Operator NATIVE_GROUP_NORM = operator("aten::native_group_norm");
  private static final Operator GROUP_NORM = operator("aten::group_norm");
  private static final Operator INSTANCE_NORM = operator("aten::instance_norm");
  private static final Operator SAFE_SOFTMAX_PART = operator("aten::_safe_softmax");
  private static final Operator SCALED_DOT_PRODUCT_ATTENTION =
      operator("aten::scaled_dot_product_attention");

  LossOps() {}

  public static Tensor huberLoss(Tensor self, Tensor target, long reduction, double delta) {
    try {
      return (Tensor)
          HUBER_LOSS.kernelFor(self, target).invokeExact(self, target, reduction, delta);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor smoothL1Loss(Tensor self, Tensor target, long reduction, double beta) {
    try {
      return (Tensor)
          SMOOTH_L1_LOSS.kernelFor(self, target).invokeExact(self, target, reduction, beta);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor l1Loss(Tensor self, Tensor target, long reduction) {
    try {
      return (Tensor) L1_LOSS.kernelFor(self, target).invokeExact(self, target, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor binaryCrossEntropy(
      Tensor self, Tensor target, Tensor weight, long reduction) {
    try {
      return (Tensor)
          BINARY_CROSS_ENTROPY
              .kernelFor(self, target, weight)
              .invokeExact(self, target, weight, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor binaryCrossEntropyWithLogits(
      Tensor self, Tensor target, Tensor weight, Tensor posWeight, long reduction) {
    try {
      return (Tensor)
          BINARY_CROSS_ENTROPY_WITH_LOGITS
              .kernelForAll(self, target, weight, posWeight)
              .invokeExact(self, target, weight, posWeight, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor klDiv(Tensor self, Tensor target, long reduction, boolean logTarget) {
    try {
      return (Tensor)
          KL_DIV.kernelFor(self, target).invokeExact(self, target, reduction, logTarget);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor poissonNllLoss(
      Tensor input, Tensor target, boolean logInput, boolean full, double eps, long reduction) {
    try {
      return (Tensor)
          POISSON_NLL_LOSS
              .kernelFor(input, target)
              .invokeExact(input, target, logInput, full, eps, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor softMarginLoss(Tensor self, Tensor target, long reduction) {
    try {
      return (Tensor) SOFT_MARGIN_LOSS.kernelFor(self, target).invokeExact(self, target, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor hingeEmbeddingLoss(
      Tensor self, Tensor target, double margin, long reduction) {
    try {
      return (Tensor)
          HINGE_EMBEDDING_LOSS.kernelFor(self, target).invokeExact(self, target, margin, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cosineEmbeddingLoss(
      Tensor input1, Tensor input2, Tensor target, double margin, long reduction) {
    try {
      return (Tensor)
          COSINE_EMBEDDING_LOSS
              .kernelFor(input1, input2, target)
              .invokeExact(input1, input2, target, margin, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor marginRankingLoss(
      Tensor input1, Tensor input2, Tensor target, double margin, long reduction) {
    try {
      return (Tensor)
          MARGIN_RANKING_LOSS
              .kernelFor(input1, input2, target)
              .invokeExact(input1, input2, target, margin, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor tripletMarginLoss(
      Tensor anchor,
      Tensor positive,
      Tensor negative,
      double margin,
      double p,
      double eps,
      boolean swap,
      long reduction) {
    try {
      return (Tensor)
          TRIPLET_MARGIN_LOSS
              .kernelFor(anchor, positive, negative)
              .invokeExact(anchor, positive, negative, margin, p, eps, swap, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor multiMarginLoss(
      Tensor self, Tensor target, Scalar p, Scalar margin, Tensor weight, long reduction) {
    try {
      return (Tensor)
          MULTI_MARGIN_LOSS
              .kernelFor(self, target, weight)
              .invokeExact(self, target, p, margin, weight, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cosineSimilarity(Tensor x1, Tensor x2, long dim, double eps) {
    try {
      return (Tensor) COSINE_SIMILARITY.kernelFor(x1, x2).invokeExact(x1, x2, dim, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor pairwiseDistance(
      Tensor x1, Tensor x2, double p, double eps, boolean keepdim) {
    try {
      return (Tensor) PAIRWISE_DISTANCE.kernelFor(x1, x2).invokeExact(x1, x2, p, eps, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cdist(Tensor x1, Tensor x2, double p, Long computeMode) {
    try {
      return (Tensor) CDIST.kernelFor(x1, x2).invokeExact(x1, x2, p, computeMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor pdist(Tensor self, double p) {
    try {
      return (Tensor) PDIST.kernelFor(self).invokeExact(self, p);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] nativeGroupNorm(
      Tensor input, Tensor weight, Tensor bias, long N, long C, long HxW, long group, double eps) {
    try {
      return (Tensor[])
          NATIVE_GROUP_NORM
              .kernelFor(input, weight, bias)
              .invokeExact(input, weight, bias, N, C, HxW, group, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor groupNorm(
      Tensor input, long numGroups, Tensor weight, Tensor bias, double eps, boolean cudnnEnabled) {
    try {
      return (Tensor)
          GROUP_NORM
              .kernelFor(input, weight, bias)
              .invokeExact(input, numGroups, weight, bias, eps, cudnnEnabled);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor instanceNorm(
      Tensor input,
      Tensor weight,
      Tensor bias,
      Tensor runningMean,
      Tensor runningVar,
      boolean useInputStats,
      double momentum,
      double eps,
      boolean cudnnEnabled) {
    try {
      return (Tensor)
          INSTANCE_NORM
              .kernelForAll(input, weight, bias, runningMean, runningVar)
              .invokeExact(
                  input,
                  weight,
                  bias,
                  runningMean,
                  runningVar,
                  useInputStats,
                  momentum,
                  eps,
                  cudnnEnabled);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor _safeSoftmax(Tensor self, long dim, DType dtype) {
    try {
      return (Tensor) SAFE_SOFTMAX_PART.kernelFor(self).invokeExact(self, dim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor scaledDotProductAttention(
      Tensor query,
      Tensor key,
      Tensor value,
      Tensor attnMask,
      double dropoutP,
      boolean isCausal,
      Double scale,
      boolean enableGqa) {
    try {
      return (Tensor)
          SCALED_DOT_PRODUCT_ATTENTION
              .kernelForAll(query, key, value, attnMask)
              .invokeExact(query, key, value, attnMask, dropoutP, isCausal, scale, enableGqa);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
