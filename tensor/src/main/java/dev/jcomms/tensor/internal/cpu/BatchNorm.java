package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/** Batch normalisation: each channel, dimension 1, to mean 0 and variance 1 over all the others. */
public final class BatchNorm {
  private BatchNorm() {}

  /**
   * Result, mean and reciprocal of the standard deviation of each channel (empty when not
   * training). The running statistics, where given, are updated by training.
   */
  public static Tensor[] forward(
      Tensor input,
      Tensor weight,
      Tensor bias,
      Tensor runningMean,
      Tensor runningVar,
      boolean training,
      double momentum,
      double eps) {
    String op = "native_batch_norm";
    Refusals.floating(op, input);
    Channels c = Channels.of(op, input);
    check(
        training || runningMean != null && runningVar != null,
        op + ": without training there must be running statistics");
    check(
        !training || input.elements() > 0,
        op + ": there is nothing to take statistics of in shape=" + input.shape());
    DType parameters = LayerNorm.statistics(op, input, weight, bias, runningMean, runningVar);
    for (Tensor p : new Tensor[] {weight, bias, runningMean, runningVar}) {
      check(
          p == null || p.elements() == c.count,
          op + ": every parameter must have " + c.count + " elements, one a channel");
    }
    Tensor in = Dense.of(input);
    DType dtype = in.dtype();
    Tensor out = Tensor.empty(dtype, in.shape());
    double[] mean = training ? new double[c.count] : runningMean.toDoubleArray();
    double[] invstd = new double[c.count];
    double[] variance = training ? new double[c.count] : runningVar.toDoubleArray();
    double[] x = new double[c.places];
    if (training) {
      statistics(in, c, mean, variance);
    }
    for (int i = 0; i < c.count; i++) {
      invstd[i] = 1 / Math.sqrt(variance[i] + eps);
    }
    double[] gamma = weight == null ? null : weight.toDoubleArray();
    double[] beta = bias == null ? null : bias.toDoubleArray();
    for (long b = 0; b < c.batch; b++) {
      for (int i = 0; i < c.count; i++) {
        long at = c.at(b, i) * dtype.bytes();
        double scale = invstd[i] * (gamma == null ? 1 : gamma[i]);
        double shift = beta == null ? 0 : beta[i];
        Lines.read(Dense.address(in) + at, dtype, x, c.places);
        for (int p = 0; p < c.places; p++) {
          x[p] = (x[p] - mean[i]) * scale + shift;
        }
        Lines.write(x, Dense.address(out) + at, dtype, c.places);
      }
    }
    Reference.reachabilityFence(in);
    if (!training) {
      Tensor none = Tensor.empty(parameters, Shape.of(0));
      return new Tensor[] {out, none, Tensor.empty(parameters, Shape.of(0))};
    }
    double n = (double) c.batch * c.places;
    update(runningMean, mean, momentum, 1);
    update(runningVar, variance, momentum, n / (n - 1));
    return new Tensor[] {out, of(parameters, mean), of(parameters, invstd)};
  }

  public static Tensor[] forwardWithoutStatistics(
      Tensor input, Tensor weight, Tensor bias, boolean training, double momentum, double eps) {
    return forward(input, weight, bias, null, null, training, momentum, eps);
  }

  /** Gradients of input, weight and bias; null where the mask says that nobody wants one. */
  public static Tensor[] backward(
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
    String op = "native_batch_norm_backward";
    Refusals.floating(op, input);
    Channels c = Channels.of(op, input);
    check(
        gradOut.shape().equals(input.shape()),
        op + ": grad_out is " + gradOut.shape() + ", but input is " + input.shape());
    check(
        train ? saveMean != null && saveInvstd != null : runningMean != null && runningVar != null,
        op + ": the statistics of the forward pass are missing");
    Tensor in = Dense.of(input);
    Tensor grad = Dense.of(gradOut);
    DType dtype = in.dtype();
    double[] mean = (train ? saveMean : runningMean).toDoubleArray();
    double[] invstd = (train ? saveInvstd : runningVar).toDoubleArray();
    if (!train) {
      for (int i = 0; i < c.count; i++) {
        invstd[i] = 1 / Math.sqrt(invstd[i] + eps);
      }
    }
    double[] gamma = weight == null ? null : weight.toDoubleArray();
    double[] sum = new double[c.count];
    double[] dot = new double[c.count];
    double[] x = new double[c.places];
    double[] dy = new double[c.places];
    for (long b = 0; b < c.batch; b++) {
      for (int i = 0; i < c.count; i++) {
        long at = c.at(b, i) * dtype.bytes();
        Lines.read(Dense.address(in) + at, dtype, x, c.places);
        Lines.read(Dense.address(grad) + at, grad.dtype(), dy, c.places);
        for (int p = 0; p < c.places; p++) {
          sum[i] += dy[p];
          dot[i] += (x[p] - mean[i]) * dy[p];
        }
      }
    }
    Tensor gradIn = outputMask[0] ? Tensor.empty(dtype, in.shape()) : null;
    double n = (double) c.batch * c.places;
    for (long b = 0; gradIn != null && b < c.batch; b++) {
      for (int i = 0; i < c.count; i++) {
        long at = c.at(b, i) * dtype.bytes();
        Lines.read(Dense.address(in) + at, dtype, x, c.places);
        Lines.read(Dense.address(grad) + at, grad.dtype(), dy, c.places);
        double scale = invstd[i] * (gamma == null ? 1 : gamma[i]);
        double slope = train ? dot[i] * invstd[i] * invstd[i] / n : 0;
        double shift = train ? sum[i] / n : 0;
        for (int p = 0; p < c.places; p++) {
          dy[p] = (dy[p] - shift - (x[p] - mean[i]) * slope) * scale;
        }
        Lines.write(dy, Dense.address(gradIn) + at, dtype, c.places);
      }
    }
    for (int i = 0; i < c.count; i++) {
      dot[i] *= invstd[i];
    }
    Reference.reachabilityFence(in);
    Reference.reachabilityFence(grad);
    DType parameters = weight == null ? dtype : weight.dtype();
    return new Tensor[] {
      gradIn, outputMask[1] ? of(parameters, dot) : null, outputMask[2] ? of(parameters, sum) : null
    };
  }

  /** In two passes: variances from differences to the mean. */
  private static void statistics(Tensor in, Channels c, double[] mean, double[] variance) {
    double[] x = new double[c.places];
    double n = (double) c.batch * c.places;
    for (int pass = 0; pass < 2; pass++) {
      for (long b = 0; b < c.batch; b++) {
        for (int i = 0; i < c.count; i++) {
          Lines.read(Dense.address(in) + c.at(b, i) * in.dtype().bytes(), in.dtype(), x, c.places);
          double sum = 0;
          for (int p = 0; p < c.places; p++) {
            double v = x[p] - mean[i];
            sum += pass == 0 ? x[p] : v * v;
          }
          variance[i] += sum;
        }
      }
      for (int i = 0; i < c.count; i++) {
        if (pass == 0) {
          mean[i] = variance[i] / n;
          variance[i] = 0;
        } else {
          variance[i] /= n;
        }
      }
    }
  }

  private static void update(Tensor running, double[] now, double momentum, double scale) {
    if (running != null) {
      double[] before = running.toDoubleArray();
      for (int i = 0; i < before.length; i++) {
        before[i] = momentum * now[i] * scale + (1 - momentum) * before[i];
      }
      running.copyFrom(Tensor.wrap(before, running.shape()));
    }
  }

  private static Tensor of(DType dtype, double[] values) {
    return Tensor.empty(dtype, Shape.of(values.length)).copyFrom(Tensor.wrap(values));
  }

  private record Channels(long batch, int count, int places) {
    static Channels of(String op, Tensor input) {
      if (input.shape().dims() < 2) {
        throw new IndexOutOfBoundsException(
            op + ": input of shape=" + input.shape() + " has no dim=1 for the channels");
      }
      int count = Math.toIntExact(input.shape().size(1));
      long batch = input.shape().size(0);
      long places = 1;
      for (int d = 2; d < input.shape().dims(); d++) {
        places *= input.shape().size(d);
      }
      return new Channels(batch, count, Math.toIntExact(places));
    }

    long at(long batchIndex, int channel) {
      return (batchIndex * count + channel) * places;
    }
  }
}
