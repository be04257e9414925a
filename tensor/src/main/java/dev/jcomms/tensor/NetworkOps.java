package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: softmax, losses, norms, dropout, embedding. */
abstract sealed class NetworkOps extends IndexingOps permits ImageOps {
  private static final Operator SOFTMAX_PART = operator("aten::_softmax");
  private static final Operator LOG_SOFTMAX_PART = operator("aten::_log_softmax");
  private static final Operator SOFTMAX_BACKWARD_DATA_PART =
      operator("aten::_softmax_backward_data");
  private static final Operator LOG_SOFTMAX_BACKWARD_DATA_PART =
      operator("aten::_log_softmax_backward_data");
  private static final Operator SOFTMAX_INT = operator("aten::softmax.int");
  private static final Operator LOG_SOFTMAX_INT = operator("aten::log_softmax.int");
  private static final Operator NLL_LOSS_FORWARD = operator("aten::nll_loss_forward");
  private static final Operator NLL_LOSS_BACKWARD = operator("aten::nll_loss_backward");
  private static final Operator NLL_LOSS2D_FORWARD = operator("aten::nll_loss2d_forward");
  private static final Operator NLL_LOSS2D_BACKWARD = operator("aten::nll_loss2d_backward");
  private static final Operator NLL_LOSS_ND = operator("aten::nll_loss_nd");
  private static final Operator CROSS_ENTROPY_LOSS = operator("aten::cross_entropy_loss");
  private static final Operator MSE_LOSS = operator("aten::mse_loss");
  private static final Operator MSE_LOSS_BACKWARD = operator("aten::mse_loss_backward");
  private static final Operator NATIVE_LAYER_NORM = operator("aten::native_layer_norm");
  private static final Operator NATIVE_LAYER_NORM_BACKWARD =
      operator("aten::native_layer_norm_backward");
  private static final Operator LAYER_NORM = operator("aten::layer_norm");
  private static final Operator RMS_NORM = operator("aten::rms_norm");
  private static final Operator NATIVE_BATCH_NORM = operator("aten::native_batch_norm");
  private static final Operator NATIVE_BATCH_NORM_BACKWARD =
      operator("aten::native_batch_norm_backward");
  private static final Operator BATCH_NORM = operator("aten::batch_norm");
  private static final Operator NATIVE_DROPOUT = operator("aten::native_dropout");
  private static final Operator NATIVE_DROPOUT_BACKWARD = operator("aten::native_dropout_backward");
  private static final Operator DROPOUT = operator("aten::dropout");
  private static final Operator EMBEDDING = operator("aten::embedding");
  private static final Operator EMBEDDING_DENSE_BACKWARD =
      operator("aten::embedding_dense_backward");

  private static final long MEAN = 1; // what reductions are called in schemas

  NetworkOps() {}

  public static Tensor _softmax(Tensor self, long dim, boolean halfToFloat) {
    try {
      return (Tensor) SOFTMAX_PART.kernelFor(self).invokeExact(self, dim, halfToFloat);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor _logSoftmax(Tensor self, long dim, boolean halfToFloat) {
    try {
      return (Tensor) LOG_SOFTMAX_PART.kernelFor(self).invokeExact(self, dim, halfToFloat);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor _softmaxBackwardData(
      Tensor gradOutput, Tensor output, long dim, DType inputDtype) {
    try {
      return (Tensor)
          SOFTMAX_BACKWARD_DATA_PART
              .kernelFor(gradOutput, output)
              .invokeExact(gradOutput, output, dim, inputDtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor _logSoftmaxBackwardData(
      Tensor gradOutput, Tensor output, long dim, DType inputDtype) {
    try {
      return (Tensor)
          LOG_SOFTMAX_BACKWARD_DATA_PART
              .kernelFor(gradOutput, output)
              .invokeExact(gradOutput, output, dim, inputDtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor softmax(Tensor self, long dim, DType dtype) {
    try {
      return (Tensor) SOFTMAX_INT.kernelFor(self).invokeExact(self, dim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor logSoftmax(Tensor self, long dim, DType dtype) {
    try {
      return (Tensor) LOG_SOFTMAX_INT.kernelFor(self).invokeExact(self, dim, dtype);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Loss and total weight. */
  public static Tensor[] nllLossForward(
      Tensor self, Tensor target, Tensor weight, long reduction, long ignoreIndex) {
    try {
      return (Tensor[])
          NLL_LOSS_FORWARD
              .kernelFor(self, target, weight)
              .invokeExact(self, target, weight, reduction, ignoreIndex);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nllLossBackward(
      Tensor gradOutput,
      Tensor self,
      Tensor target,
      Tensor weight,
      long reduction,
      long ignoreIndex,
      Tensor totalWeight) {
    try {
      return (Tensor)
          NLL_LOSS_BACKWARD
              .kernelForAll(gradOutput, self, target, weight, totalWeight)
              .invokeExact(gradOutput, self, target, weight, reduction, ignoreIndex, totalWeight);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Loss and total weight. */
  public static Tensor[] nllLoss2dForward(
      Tensor self, Tensor target, Tensor weight, long reduction, long ignoreIndex) {
    try {
      return (Tensor[])
          NLL_LOSS2D_FORWARD
              .kernelFor(self, target, weight)
              .invokeExact(self, target, weight, reduction, ignoreIndex);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nllLoss2dBackward(
      Tensor gradOutput,
      Tensor self,
      Tensor target,
      Tensor weight,
      long reduction,
      long ignoreIndex,
      Tensor totalWeight) {
    try {
      return (Tensor)
          NLL_LOSS2D_BACKWARD
              .kernelForAll(gradOutput, self, target, weight, totalWeight)
              .invokeExact(gradOutput, self, target, weight, reduction, ignoreIndex, totalWeight);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nllLossNd(
      Tensor self, Tensor target, Tensor weight, long reduction, long ignoreIndex) {
    try {
      return (Tensor)
          NLL_LOSS_ND
              .kernelFor(self, target, weight)
              .invokeExact(self, target, weight, reduction, ignoreIndex);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** With PyTorch's defaults: the mean over all targets that are not -100. */
  public static Tensor crossEntropyLoss(Tensor self, Tensor target) {
    return crossEntropyLoss(self, target, null, MEAN, -100, 0);
  }

  /**
   * The cross entropy of scores and targets.
   *
   * @param weight one a class, or null
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   */
  public static Tensor crossEntropyLoss(
      Tensor self,
      Tensor target,
      Tensor weight,
      long reduction,
      long ignoreIndex,
      double labelSmoothing) {
    try {
      return (Tensor)
          CROSS_ENTROPY_LOSS
              .kernelFor(self, target, weight)
              .invokeExact(self, target, weight, reduction, ignoreIndex, labelSmoothing);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The mean of the squares. */
  public static Tensor mseLoss(Tensor self, Tensor target) {
    return mseLoss(self, target, MEAN);
  }

  /**
   * The squares of the differences.
   *
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   */
  public static Tensor mseLoss(Tensor self, Tensor target, long reduction) {
    try {
      return (Tensor) MSE_LOSS.kernelFor(self, target).invokeExact(self, target, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mseLossBackward(
      Tensor gradOutput, Tensor self, Tensor target, long reduction) {
    try {
      return (Tensor)
          MSE_LOSS_BACKWARD
              .kernelFor(gradOutput, self, target)
              .invokeExact(gradOutput, self, target, reduction);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Result, mean and reciprocal of the standard deviation. */
  public static Tensor[] nativeLayerNorm(
      Tensor input, long[] normalizedShape, Tensor weight, Tensor bias, double eps) {
    try {
      return (Tensor[])
          NATIVE_LAYER_NORM
              .kernelFor(input, weight, bias)
              .invokeExact(input, normalizedShape, weight, bias, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] nativeLayerNormBackward(
      Tensor gradOut,
      Tensor input,
      long[] normalizedShape,
      Tensor mean,
      Tensor rstd,
      Tensor weight,
      Tensor bias,
      boolean[] outputMask) {
    try {
      return (Tensor[])
          NATIVE_LAYER_NORM_BACKWARD
              .kernelForAll(gradOut, input, mean, rstd, weight, bias)
              .invokeExact(gradOut, input, normalizedShape, mean, rstd, weight, bias, outputMask);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor layerNorm(
      Tensor input, long[] normalizedShape, Tensor weight, Tensor bias, double eps) {
    try {
      return (Tensor)
          LAYER_NORM
              .kernelFor(input, weight, bias)
              .invokeExact(input, normalizedShape, weight, bias, eps, false);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rmsNorm(Tensor input, long[] normalizedShape, Tensor weight, Double eps) {
    try {
      return (Tensor)
          RMS_NORM.kernelFor(input, weight).invokeExact(input, normalizedShape, weight, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Result, mean and reciprocal of the standard deviation; updates the running ones. */
  public static Tensor[] nativeBatchNorm(
      Tensor input,
      Tensor weight,
      Tensor bias,
      Tensor runningMean,
      Tensor runningVar,
      boolean training,
      double momentum,
      double eps) {
    try {
      return (Tensor[])
          NATIVE_BATCH_NORM
              .kernelForAll(input, weight, bias, runningMean, runningVar)
              .invokeExact(input, weight, bias, runningMean, runningVar, training, momentum, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] nativeBatchNormBackward(
      Tensor gradOut,
      Tensor input,
      Tensor weight,
      Tensor runningMean,
      Tensor runningVar,
      Tensor saveMean,
      Tensor saveInvstd,
      boolean train,
      double eps,
      boolean[] outputMask) {
    try {
      return (Tensor[])
          NATIVE_BATCH_NORM_BACKWARD
              .kernelForAll(gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd)
              .invokeExact(
                  gradOut,
                  input,
                  weight,
                  runningMean,
                  runningVar,
                  saveMean,
                  saveInvstd,
                  train,
                  eps,
                  outputMask);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor batchNorm(
      Tensor input,
      Tensor weight,
      Tensor bias,
      Tensor runningMean,
      Tensor runningVar,
      boolean training,
      double momentum,
      double eps) {
    try {
      return (Tensor)
          BATCH_NORM
              .kernelForAll(input, weight, bias, runningMean, runningVar)
              .invokeExact(
                  input, weight, bias, runningMean, runningVar, training, momentum, eps, false);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Result and mask. */
  public static Tensor[] nativeDropout(Tensor input, double p, Boolean train) {
    try {
      return (Tensor[]) NATIVE_DROPOUT.kernelFor(input).invokeExact(input, p, train);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor nativeDropoutBackward(Tensor gradOutput, Tensor mask, double scale) {
    try {
      return (Tensor)
          NATIVE_DROPOUT_BACKWARD.kernelFor(gradOutput, mask).invokeExact(gradOutput, mask, scale);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor dropout(Tensor input, double p, boolean train) {
    try {
      return (Tensor) DROPOUT.kernelFor(input).invokeExact(input, p, train);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor embedding(
      Tensor weight, Tensor indices, long paddingIdx, boolean scaleGradByFreq, boolean sparse) {
    try {
      return (Tensor)
          EMBEDDING
              .kernelFor(weight, indices)
              .invokeExact(weight, indices, paddingIdx, scaleGradByFreq, sparse);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor embeddingDenseBackward(
      Tensor gradOutput,
      Tensor indices,
      long numWeights,
      long paddingIdx,
      boolean scaleGradByFreq) {
    try {
      return (Tensor)
          EMBEDDING_DENSE_BACKWARD
              .kernelFor(gradOutput, indices)
              .invokeExact(gradOutput, indices, numWeights, paddingIdx, scaleGradByFreq);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
