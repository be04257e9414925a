package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.add;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.rsqrt;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.sub;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import dev.jcomms.tensor.autograd.GradMode;
import java.util.Arrays;
import java.util.List;

/**
 * Layer and batch normalization. Their backward operators have no formula of their own: where the
 * gradient is to be differentiated again, it is made of elementary operators instead.
 */
final class NormalizationFormulas {
  private NormalizationFormulas() {}

  static void into(Book book) {
    book.add(
        "native_layer_norm",
        Derivative.of()
            .joint(
                List.of("input", "weight", "bias"),
                NormalizationFormulas::layer,
                "input",
                "weight",
                "bias",
                "result1",
                "result2")
            .undifferentiable(1, 2));
    Derivative batch =
        Derivative.of()
            .joint(
                List.of("input", "weight", "bias"),
                NormalizationFormulas::batch,
                "input",
                "weight",
                "running_mean",
                "running_var",
                "result1",
                "result2")
            .undifferentiable(1, 2);
    book.add("native_batch_norm", batch);
    book.add("_native_batch_norm_legit", batch);
    book.add(
        "_native_batch_norm_legit.no_stats",
        Derivative.of()
            .joint(
                List.of("input", "weight", "bias"),
                c -> batch(c, null, null),
                "input",
                "weight",
                "result1",
                "result2")
            .undifferentiable(1, 2));
  }

  private static Tensor[] layer(Context c) {
    Tensor input = c.tensor("input");
    Tensor weight = c.tensor("weight");
    long[] shape = c.integers("normalized_shape");
    if (!GradMode.isEnabled()) {
      return Call.several(
          "native_layer_norm_backward",
          c.grad(),
          input,
          shape,
          c.tensor("result1"),
          c.tensor("result2"),
          weight,
          c.tensor("bias"),
          wanted(c));
    }
    int outer = input.shape().dims() - shape.length;
    long[] inner = dims(input.shape(), d -> d >= outer);
    Tensor[] found = centred(c, input, weight, inner, null, null);
    long[] rows = dims(input.shape(), d -> d < outer);
    return affine(c, found, rows, Shape.of(shape));
  }

  private static Tensor[] batch(Context c) {
    boolean used = !c.flag("training"); // else a later call may have moved them on
    return batch(c, used ? c.tensor("running_mean") : null, used ? c.tensor("running_var") : null);
  }

  private static Tensor[] batch(Context c, Tensor runningMean, Tensor runningVar) {
    Tensor input = c.tensor("input");
    Tensor weight = c.tensor("weight");
    boolean training = c.flag("training");
    if (!GradMode.isEnabled()) {
      return Call.several(
          "native_batch_norm_backward",
          c.grad(),
          input,
          weight,
          runningMean,
          runningVar,
          c.tensor("result1"),
          c.tensor("result2"),
          training,
          c.number("eps"),
          wanted(c));
    }
    long[] all = dims(input.shape(), d -> d != 1);
    long[] sizes = new long[input.shape().dims()];
    Arrays.fill(sizes, 1);
    sizes[1] = input.shape().size(1);
    Shape channel = Shape.of(sizes);
    Tensor scale = weight == null ? null : Call.reshape(weight, channel);
    Tensor[] found =
        training
            ? centred(c, input, scale, all, null, null)
            : centred(
                c,
                input,
                scale,
                all,
                Call.reshape(runningMean, channel),
                Call.reshape(runningVar, channel));
    return affine(c, found, all, Shape.of(input.shape().size(1)));
  }

  /**
   * The gradients by the input and, not summed yet, by the weight; with the mean and variance of
   * the input itself unless they are given.
   */
  private static Tensor[] centred(
      Context c, Tensor input, Tensor scale, long[] over, Tensor mean, Tensor variance) {
    boolean fixed = mean != null;
    Tensor middle = fixed ? mean : Call.of("mean.dim", input, over, true, null);
    Tensor off = sub(input, middle);
    Tensor spread = fixed ? variance : Call.of("mean.dim", mul(off, off), over, true, null);
    Tensor rate = rsqrt(add(spread, c.number("eps")));
    Tensor normal = mul(off, rate);
    Tensor scaled = scale == null ? c.grad() : mul(c.grad(), scale);
    Tensor byInput;
    if (fixed) {
      byInput = mul(scaled, rate);
    } else {
      Tensor average = Call.of("mean.dim", scaled, over, true, null);
      Tensor along = Call.of("mean.dim", mul(scaled, normal), over, true, null);
      byInput = mul(rate, sub(sub(scaled, average), mul(normal, along)));
    }
    return new Tensor[] {byInput, mul(c.grad(), normal), c.grad()};
  }

  /** The last two summed over what the weight and bias were broadcast over. */
  private static Tensor[] affine(Context c, Tensor[] found, long[] over, Shape shape) {
    for (int i = 1; i <= 2; i++) {
      boolean needed = c.needs(i == 1 ? "weight" : "bias");
      if (needed && over.length > 0) {
        found[i] = Call.sum(found[i], false, over);
      }
      found[i] = needed ? Call.reshape(found[i], shape) : null;
    }
    return found;
  }

  private static boolean[] wanted(Context c) {
    return new boolean[] {c.needs("input"), c.needs("weight"), c.needs("bias")};
  }

  private static long[] dims(Shape shape, java.util.function.IntPredicate which) {
    return java.util.stream.IntStream.range(0, shape.dims()).filter(which).asLongStream().toArray();
  }
}
