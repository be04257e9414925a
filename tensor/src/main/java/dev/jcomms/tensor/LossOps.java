package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: losses by margin, likelihood and distance; norms of groups; attention. */
abstract sealed class LossOps extends SpecialOps permits ProductOps {
  private static final MethodHandle HUBER_LOSS = handle("aten::huber_loss");
  private static final MethodHandle SMOOTH_L1_LOSS = handle("aten::smooth_l1_loss");
  private static final MethodHandle L1_LOSS = handle("aten::l1_loss");
  private static final MethodHandle BINARY_CROSS_ENTROPY = handle("aten::binary_cross_entropy");
  private static final MethodHandle BINARY_CROSS_ENTROPY_WITH_LOGITS =
      handle("aten::binary_cross_entropy_with_logits");
  private static final MethodHandle KL_DIV = handle("aten::kl_div");
  private static final MethodHandle POISSON_NLL_LOSS = handle("aten::poisson_nll_loss");
  private static final MethodHandle SOFT_MARGIN_LOSS = handle("aten::soft_margin_loss");
  private static final MethodHandle HINGE_EMBEDDING_LOSS = handle("aten::hinge_embedding_loss");
  private static final MethodHandle COSINE_EMBEDDING_LOSS = handle("aten::cosine_embedding_loss");
  private static final MethodHandle MARGIN_RANKING_LOSS = handle("aten::margin_ranking_loss");
  private static final MethodHandle TRIPLET_MARGIN_LOSS = handle("aten::triplet_margin_loss");
  private static final MethodHandle MULTI_MARGIN_LOSS = handle("aten::multi_margin_loss");
  private static final MethodHandle COSINE_SIMILARITY = handle("aten::cosine_similarity");
  private static final MethodHandle PAIRWISE_DISTANCE = handle("aten::pairwise_distance");
  private static final MethodHandle CDIST = handle("aten::cdist");
  private static final MethodHandle PDIST = handle("aten::pdist");
  private static final MethodHandle NATIVE_GROUP_NORM = handle("aten::native_group_norm");
  private static final MethodHandle GROUP_NORM = handle("aten::group_norm");
  private static final MethodHandle INSTANCE_NORM = handle("aten::instance_norm");
  private static final MethodHandle SAFE_SOFTMAX_PART = handle("aten::_safe_softmax");
  private static final MethodHandle SCALED_DOT_PRODUCT_ATTENTION =
      handle("aten::scaled_dot_product_attention");

  LossOps() {}

  public static Tensor huberLoss(Tensor self, Tensor target, long reduction, double delta) {
    try {
      return (Tensor) HUBER_LOSS.invokeExact(self, target, reduction, delta);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor smoothL1Loss(Tensor self, Tensor target, long reduction, double beta) {
    try {
      return (Tensor) SMOOTH_L1_LOSS.invokeExact(self, target, reduction, beta);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor l1Loss(Tensor self, Tensor target, long reduction) {
    try {
      return (Tensor) L1_LOSS.invokeExact(self, target, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor binaryCrossEntropy(
      Tensor self, Tensor target, Tensor weight, long reduction) {
    try {
      return (Tensor) BINARY_CROSS_ENTROPY.invokeExact(self, target, weight, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor binaryCrossEntropyWithLogits(
      Tensor self, Tensor target, Tensor weight, Tensor posWeight, long reduction) {
    try {
      return (Tensor)
          BINARY_CROSS_ENTROPY_WITH_LOGITS.invokeExact(self, target, weight, posWeight, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor klDiv(Tensor self, Tensor target, long reduction, boolean logTarget) {
    try {
      return (Tensor) KL_DIV.invokeExact(self, target, reduction, logTarget);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor poissonNllLoss(
      Tensor input, Tensor target, boolean logInput, boolean full, double eps, long reduction) {
    try {
      return (Tensor) POISSON_NLL_LOSS.invokeExact(input, target, logInput, full, eps, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor softMarginLoss(Tensor self, Tensor target, long reduction) {
    try {
      return (Tensor) SOFT_MARGIN_LOSS.invokeExact(self, target, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor hingeEmbeddingLoss(
      Tensor self, Tensor target, double margin, long reduction) {
    try {
      return (Tensor) HINGE_EMBEDDING_LOSS.invokeExact(self, target, margin, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cosineEmbeddingLoss(
      Tensor input1, Tensor input2, Tensor target, double margin, long reduction) {
    try {
      return (Tensor) COSINE_EMBEDDING_LOSS.invokeExact(input1, input2, target, margin, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor marginRankingLoss(
      Tensor input1, Tensor input2, Tensor target, double margin, long reduction) {
    try {
      return (Tensor) MARGIN_RANKING_LOSS.invokeExact(input1, input2, target, margin, reduction);
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
          TRIPLET_MARGIN_LOSS.invokeExact(
              anchor, positive, negative, margin, p, eps, swap, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor multiMarginLoss(
      Tensor self, Tensor target, Scalar p, Scalar margin, Tensor weight, long reduction) {
    try {
      return (Tensor) MULTI_MARGIN_LOSS.invokeExact(self, target, p, margin, weight, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cosineSimilarity(Tensor x1, Tensor x2, long dim, double eps) {
    try {
      return (Tensor) COSINE_SIMILARITY.invokeExact(x1, x2, dim, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor pairwiseDistance(
      Tensor x1, Tensor x2, double p, double eps, boolean keepdim) {
    try {
      return (Tensor) PAIRWISE_DISTANCE.invokeExact(x1, x2, p, eps, keepdim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cdist(Tensor x1, Tensor x2, double p, Long computeMode) {
    try {
      return (Tensor) CDIST.invokeExact(x1, x2, p, computeMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor pdist(Tensor self, double p) {
    try {
      return (Tensor) PDIST.invokeExact(self, p);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] nativeGroupNorm(
      Tensor input, Tensor weight, Tensor bias, long N, long C, long HxW, long group, double eps) {
    try {
      return (Tensor[]) NATIVE_GROUP_NORM.invokeExact(input, weight, bias, N, C, HxW, group, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor groupNorm(
      Tensor input, long numGroups, Tensor weight, Tensor bias, double eps, boolean cudnnEnabled) {
    try {
      return (Tensor) GROUP_NORM.invokeExact(input, numGroups, weight, bias, eps, cudnnEnabled);
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
          INSTANCE_NORM.invokeExact(
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
      return (Tensor) SAFE_SOFTMAX_PART.invokeExact(self, dim, dtype);
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
          SCALED_DOT_PRODUCT_ATTENTION.invokeExact(
              query, key, value, attnMask, dropoutP, isCausal, scale, enableGqa);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
