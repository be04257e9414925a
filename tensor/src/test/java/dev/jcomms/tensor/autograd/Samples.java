package dev.jcomms.tensor.autograd;

import static dev.jcomms.tensor.autograd.Sample.any;
import static dev.jcomms.tensor.autograd.Sample.fixed;
import static dev.jcomms.tensor.autograd.Sample.mask;
import static dev.jcomms.tensor.autograd.Sample.positive;
import static dev.jcomms.tensor.autograd.Sample.small;
import static dev.jcomms.tensor.autograd.Sample.strided;
import static dev.jcomms.tensor.autograd.Sample.uniform;
import static dev.jcomms.tensor.autograd.Sample.whole;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Calls of every operator that has a derivative: broadcast, strided, empty and 0-d among them. */
final class Samples {
  private final List<Sample> all = new ArrayList<>();

  static List<Sample> all() {
    Samples samples = new Samples();
    samples.views();
    samples.copies();
    samples.functions();
    samples.arithmetic();
    samples.choices();
    samples.activations();
    samples.reductions();
    samples.matrices();
    samples.indexes();
    samples.arrangements();
    samples.losses();
    samples.layers();
    samples.convolutions();
    ArrangeSamples.into(samples.all);
    SpecialSamples.into(samples.all);
    NetworkSamples.into(samples.all);
    RankSamples.into(samples.all);
    FactorSamples.into(samples.all);
    return samples.all;
  }

  private void add(String operator, Object... arguments) {
    all.add(Sample.of(operator, arguments));
  }

  private void first(String operator, Object... arguments) {
    all.add(Sample.of(operator, arguments).firstOnly());
  }

  private static long[] l(long... values) {
    return values;
  }

  private void views() {
    add("alias", any(2, 3));
    add("view", any(2, 6), l(3, -1));
    add("_unsafe_view", any(2, 6), l(3, 4));
    add("expand", any(3, 1), l(2, 3, 4));
    add("expand", any(), l(2));
    add("transpose.int", any(2, 3, 2), 0, -1);
    add("t", any(2, 3));
    add("t", any(3));
    add("permute", any(2, 3, 4), l(2, 0, -2));
    add("unsqueeze", any(2, 3), -1);
    add("squeeze", any(1, 3, 1));
    add("squeeze.dim", any(1, 3), 0);
    add("squeeze.dim", any(1, 3), 1);
    add("squeeze.dims", any(1, 3, 1), l(0, -1));
    add("select.int", any(2, 3), 1, -1);
    add("select.int", strided(2, 3), 0, 1);
    add("select_backward", any(2), l(2, 3), 1, 2);
    add("slice.Tensor", any(5, 2), 0, 1, 5, 2);
    add("slice.Tensor", any(5), 0, null, -1, 1);
    add("slice_backward", any(2, 2), l(5, 2), 0, 1, 5, 2);
    add("diagonal", any(3, 4), 1, 0, 1);
    add("diagonal", any(2, 3, 3), -1, 2, 1);
    add("diagonal_backward", any(3), l(3, 4), 1, 0, 1);
    add("unfold", any(5, 2), 0, 3, 1);
    add("unfold_backward", any(3, 2, 3), l(5, 2), 0, 3, 1);
    add("as_strided", any(3, 4), l(2, 2), l(4, 1), 1L);
    add("as_strided", any(6), l(3, 3), l(1, 1), null);
    add("as_strided", strided(3, 2), l(2, 2), l(3, 1), null);
    add("split.Tensor", any(5, 2), 2, 0);
    add("split_with_sizes", any(2, 5), l(1, 0, 4), 1);
    add("unbind.int", any(3, 2), 1);
  }

  private void copies() {
    add("clone", strided(2, 3));
    add("_to_copy", any(2, 3), DType.F64);
    add("copy_", any(2, 3), any(3));
    add("copy_", any(2, 3), any());
    add("fill_.Scalar", any(2), 3.0);
    add("fill_.Tensor", any(2), any());
    add("zero_", any(2));
  }

  private void unary(String operator, Tensor... inputs) {
    for (Tensor input : inputs) {
      add(operator, input);
    }
  }

  private void functions() {
    for (String name :
        List.of("sign", "sgn", "floor", "ceil", "round", "trunc", "frac", "neg", "abs", "square")) {
      unary(name, any(2, 3), any(), strided(2, 3), any(0));
    }
    add("round.decimals", any(3), 1);
    for (String name :
        List.of(
            "exp",
            "exp2",
            "expm1",
            "sin",
            "cos",
            "sinh",
            "cosh",
            "tanh",
            "erf",
            "erfc",
            "sigmoid",
            "atan",
            "asinh",
            "nan_to_num")) {
      unary(name, any(2, 3), any(), strided(2, 3));
    }
    for (String name : List.of("log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal")) {
      unary(name, positive(2, 3), positive());
    }
    for (String name : List.of("tan", "asin", "acos", "atanh")) {
      unary(name, small(2, 3), small());
    }
    unary("acosh", uniform(1.5, 2, 2, 3));
    for (String name : List.of("deg2rad", "rad2deg")) {
      unary(name, any(3));
    }
  }

  /** Same shapes, broadcast both ways, a number with a vector, strides. */
  private void binary(String operator, Object... rest) {
    for (Tensor[] pair :
        new Tensor[][] {
          {positive(2, 3), positive(2, 3)},
          {positive(2, 3), positive(3)},
          {positive(3), positive(2, 1)},
          {positive(), positive(2)},
          {positive(), positive()},
          {positive(3, 2).t(), positive(2, 3)},
          {positive(0), positive(1)},
        }) {
      List<Object> args = new ArrayList<>(List.of(pair[0], pair[1]));
      args.addAll(Arrays.asList(rest));
      add(operator, args.toArray());
    }
  }

  private void arithmetic() {
    binary("add.Tensor", 2);
    binary("sub.Tensor", 0.5);
    binary("rsub.Tensor", 2);
    binary("mul.Tensor");
    binary("div.Tensor");
    add("div.Tensor", any(3), positive(3));
    binary("div.Tensor_mode", (Object) null);
    binary("div.Tensor_mode", "floor");
    binary("div.Tensor_mode", "trunc");
    binary("fmod.Tensor");
    binary("remainder.Tensor");
    binary("pow.Tensor_Tensor");
    binary("atan2");
    binary("hypot");
    binary("logaddexp");
    binary("xlogy.Tensor");
    binary("copysign.Tensor");
    for (String name : List.of("add.Scalar", "sub.Scalar", "rsub.Scalar")) {
      add(name, any(2, 3), 2, 3);
    }
    for (String name : List.of("mul.Scalar", "div.Scalar", "fmod.Scalar", "remainder.Scalar")) {
      add(name, any(2, 3), 1.5);
    }
    add("div.Scalar_mode", any(3), 1.5, null);
    add("div.Scalar_mode", any(3), 1.5, "floor");
    for (double exponent : new double[] {0, 1, 2, 3, 0.5, -1.5}) {
      add("pow.Tensor_Scalar", positive(2, 3), exponent);
    }
    add("pow.Tensor_Scalar", any(3), 3);
    add("pow.Scalar", 2.5, any(2, 3));
    add("pow.Scalar", 0, positive(3));
    add("lerp.Scalar", any(2, 3), any(3), 0.3);
    add("lerp.Tensor", any(2, 3), any(3), any(2, 1));
    for (String name : List.of("addcmul", "addcdiv")) {
      add(name, any(2, 3), any(2, 3), positive(2, 3), 0.5);
      add(name, any(2, 3), any(3), positive(2, 1), 2);
    }
  }

  private void choices() {
    for (String name : List.of("maximum", "minimum", "fmax", "fmin")) {
      binary(name);
    }
    Tensor condition = Tensor.of(true, false, true, false, false, true).view(2, 3);
    add("where.self", fixed(condition), any(2, 3), any(2, 3));
    add("where.self", fixed(condition), any(3), any());
    add("clamp", any(2, 3), -0.5, 0.5);
    add("clamp", any(2, 3), null, 0.5);
    add("clamp", any(2, 3), -0.5, null);
    add("clamp.Tensor", any(2, 3), small(3), uniform(1, 1, 2, 3));
    add("clamp.Tensor", any(2, 3), null, any(3));
    add("clamp.Tensor", any(2, 3), any(3), null);
    add("clamp.Tensor", any(6), uniform(1, 1, 6), small(6)); // limits the wrong way round
    add("clamp_min", any(2, 3), 0.1);
    add("clamp_max", any(2, 3), 0.1);
    add("clamp_min.Tensor", any(2, 3), any(3));
    add("clamp_max.Tensor", any(2, 3), any(3));
  }

  private void activations() {
    unary("relu", any(2, 3), any(), strided(3, 2));
    add("threshold", any(2, 3), 0.1, 5);
    add("threshold_backward", any(2, 3), any(2, 3), 0.1);
    add("sigmoid_backward", any(2, 3), positive(2, 3));
    add("tanh_backward", any(2, 3), small(2, 3));
    for (String how : List.of("none", "tanh")) {
      add("gelu", any(2, 3), how);
      add("gelu_backward", any(2, 3), any(2, 3), how);
    }
    unary("silu", any(2, 3), any());
    add("softplus", any(2, 3), 1.5, 20);
    add("softplus", uniform(-2, 8, 6), 1, 3);
    add("softplus_backward", any(2, 3), any(2, 3), 1.5, 20);
    add("logit", uniform(0.1, 0.8, 2, 3), null);
    add("logit", uniform(0, 1, 6), 0.2);
    add("elu", any(2, 3), 1.2, 1.1, 0.9);
    add("elu_backward", any(2, 3), 1.2, 1.1, 0.9, false, any(2, 3));
    add("elu_backward", any(2, 3), 1.2, 1.1, 0.9, true, any(2, 3));
    add("leaky_relu", any(2, 3), 0.1);
    add("leaky_relu_backward", any(2, 3), any(2, 3), 0.1, false);
    add("hardtanh", any(2, 3), -0.6, 0.7);
    add("hardtanh_backward", any(2, 3), any(2, 3), -0.6, 0.7);
    add("log_sigmoid_forward", any(2, 3));
  }

  private void reductions() {
    for (String name : List.of("sum", "mean", "prod", "max", "min")) {
      unary(name, any(2, 3), any(), strided(2, 3));
    }
    add("prod", Tensor.of(1.5, 0, 2, 3));
    add("prod", Tensor.of(1.5, 0, 2, 0));
    for (String name : List.of("sum.dim_IntList", "mean.dim")) {
      add(name, any(2, 3, 2), l(0, -1), false, null);
      add(name, any(2, 3), l(1), true, null);
      add(name, any(2, 3), null, false, null);
      add(name, any(), l(0), false, null);
    }
    add("sum.dim_IntList", any(2, 3), l(), false, null);
    add("prod.dim_int", any(2, 3), 1, false, null);
    add("prod.dim_int", Tensor.of(0.0, 2, 3, 4, 0, 0).view(2, 3), 1, true, null);
    for (String name : List.of("amax", "amin")) {
      add(name, any(2, 3), l(1), false);
      add(name, any(2, 3, 2), l(0, 2), true);
      add(name, any(2, 3), l(), false);
    }
    for (String name : List.of("max.dim", "min.dim", "median.dim", "mode")) {
      add(name, any(2, 3), 1, false);
      add(name, any(2, 3), -2, true);
      add(name, any(), 0, false);
    }
    add("kthvalue", any(2, 3), 2, 1, false);
    add("topk", any(2, 5), 2, 1, true, true);
    add("topk", any(2, 5), 3, 1, false, true);
    add("sort", any(2, 4), 1, true);
    add("sort.stable", any(4, 2), true, 0, false);
    add("logsumexp", any(2, 3), l(1), false);
    add("logsumexp", any(2, 3), l(0, 1), true);
    for (String name :
        List.of("var.correction", "std.correction", "var_mean.correction", "std_mean.correction")) {
      add(name, any(2, 4), l(1), 1, false);
      add(name, any(2, 4), l(0, 1), 0, true);
      add(name, any(2, 4), null, null, false);
    }
    add("cumsum", any(2, 3), 1, null);
    add("cumsum", any(), 0, null);
    add("cumprod", any(2, 3), 1, null);
    add("cumprod", Tensor.of(2.0, 0, 3, 0, 1), 0, null);
    norms();
  }

  private void norms() {
    for (Object p : new Object[] {0, 0.5, 1, 1.5, 2, 3, Double.POSITIVE_INFINITY}) {
      add("linalg_vector_norm", any(2, 3), p, l(1), false, null);
      add("norm.Scalar", any(2, 3), p);
      add("norm.ScalarOpt_dim", any(2, 3), p, l(1), true);
    }
    add("linalg_vector_norm", any(2, 3), 2, null, false, null);
    add("norm.ScalarOpt_dtype", any(2, 3), 3, DType.F64);
    add("norm.ScalarOpt_dim_dtype", any(2, 3), 2, l(0), false, DType.F64);
  }

  private void matrices() {
    add("mm", any(2, 3), any(3, 4));
    add("mm", strided(2, 3), strided(3, 4));
    add("mm", any(2, 0), any(0, 3));
    add("addmm", any(4), any(2, 3), any(3, 4), 0.5, 2);
    add("addmm", any(2, 4), any(2, 3), strided(3, 4), 1, 1);
    add("bmm", any(2, 2, 3), any(2, 3, 2));
    add("baddbmm", any(2, 1), any(2, 2, 3), any(2, 3, 2), 0.5, 2);
    add("baddbmm", any(2, 2, 2), any(2, 2, 3), any(2, 3, 2), 0.5, 2);
    add("mv", any(2, 3), any(3));
    add("addmv", any(2), any(2, 3), any(3), 0.5, 2);
    add("addr", any(2, 3), any(2), any(3), 0.5, 2);
    add("dot", any(4), any(4));
    add("vdot", any(4), any(4));
    add("trace", any(3, 4));
    add("trace", any(4, 3));
  }

  private void indexes() {
    Tensor index = whole(0, 2, 2, 1).view(2, 2);
    add("gather", any(3, 2), 0, index);
    add("gather", any(), 0, Tensor.full(DType.I64, Shape.scalar(), 0L));
    add("index_select", any(3, 2), 0, whole(2, 0, 2));
    add("index_select", any(2, 3), -1, whole(1));
    add("index.Tensor", any(3, 4), List.of(whole(0, 2, 0), whole(1, 3, 1)));
    add("index.Tensor", any(3, 4), Arrays.asList(null, whole(1, 1)));
    add("index.Tensor", any(4), List.of(mask(true, false, true, true)));
    add("take", any(2, 3), whole(0, 5, 5));
    add("scatter.src", any(3, 2), 0, whole(0, 1, 2, 0).view(2, 2), any(2, 2));
    add("scatter.value", any(3, 2), 0, index, 1.5);
    add("scatter_add", any(3, 2), 0, index, any(2, 2));
    for (String reduce : List.of("sum", "mean", "prod", "amax", "amin")) {
      for (boolean withSelf : new boolean[] {true, false}) {
        add("scatter_reduce.two", any(3, 2), 0, index, any(2, 2), reduce, withSelf);
      }
    }
    add("index_add", any(3, 2), 0, whole(1, 1), any(2, 2), 2);
    add("index_copy", any(3, 2), 0, whole(2, 0), any(2, 2));
    add("index_fill.int_Scalar", any(3, 2), 1, whole(0), 4);
    add("index_fill.int_Tensor", any(3, 2), 0, whole(0, 2), any());
    add("index_put", any(3, 4), List.of(whole(0, 2), whole(1, 3)), any(2), false);
    add("index_put", any(3, 4), List.of(whole(0, 0), whole(1, 1)), any(2), true);
    add("index_put", any(3, 4), List.of(whole(0, 2)), any(), false);
    Sample.Fixed mask = fixed(Tensor.of(true, false, true, false, false, true).view(2, 3));
    add("masked_fill.Scalar", any(2, 3), mask, 1.5);
    add("masked_fill.Tensor", any(2, 3), mask, any());
    add("masked_fill.Scalar", any(2, 3), mask(true, false, true), 1.5);
    add("masked_select", any(2, 3), mask);
    add("masked_select", any(3), mask);
    add("masked_scatter", any(2, 3), mask, any(5));
  }

  private void arrangements() {
    add("cat", List.of(any(2, 1), any(2, 3)), 1);
    add("cat", List.of(any(0), any(2), any(1)), 0);
    add("stack", List.of(any(2, 3), strided(2, 3)), -1);
    add("stack", List.of(any(), any()), 0);
    add("flip", any(2, 3), l(0, 1));
    add("roll", any(2, 3), l(1, -2), l(0, 1));
    add("roll", any(2, 3), l(2), l());
    add("tril", any(3, 3), 1);
    add("triu", any(2, 3, 3), -1);
    add("constant_pad_nd", any(2, 3), l(1, 2, 0, 1), 2.0);
    add("constant_pad_nd", any(4, 3), l(-1, 1), 0);
    add("repeat", any(2, 3), l(2, 1, 3));
  }

  private void losses() {
    for (String name : List.of("_softmax", "_log_softmax")) {
      add(name, any(2, 3), 1, false);
      add(name, any(2, 3, 2), 0, false);
      add(name, any(), 0, false);
      add(name + "_backward_data", any(2, 3), small(2, 3), 1, DType.F64);
    }
    for (int reduction = 0; reduction < 3; reduction++) {
      Sample.Fixed weight = fixed(positive(4));
      Tensor target = whole(1, 3, 0);
      add("nll_loss_forward", any(3, 4), target, null, reduction, -100);
      add("nll_loss_forward", any(3, 4), target, weight, reduction, 3);
      Tensor given = reduction == 0 ? any(3) : any();
      add(
          "nll_loss_backward",
          given,
          any(3, 4),
          target,
          null,
          reduction,
          -100,
          fixed(Tensor.scalar(DType.F64, 3.0)));
      Tensor places = whole(0, 1, 2, 0, 1, 2, 2, 2).view(2, 2, 2);
      add("nll_loss2d_forward", any(2, 3, 2, 2), places, null, reduction, -100);
      add(
          "nll_loss2d_backward",
          reduction == 0 ? any(2, 2, 2) : any(),
          any(2, 3, 2, 2),
          places,
          null,
          reduction,
          -100,
          fixed(Tensor.scalar(DType.F64, 8.0)));
      add("mse_loss", any(2, 3), any(2, 3), reduction);
      add("mse_loss_backward", reduction == 0 ? any(2, 3) : any(), any(2, 3), any(2, 3), reduction);
    }
    add("mse_loss", any(2, 3), any(3), 1);
  }

  private void layers() {
    add("native_layer_norm", any(2, 3), l(3), positive(3), any(3), 1e-3);
    add("native_layer_norm", any(2, 2, 3), l(2, 3), null, null, 1e-3);
    add("native_layer_norm", any(3), l(3), positive(3), null, 1e-3);
    Sample.Fixed mean = fixed(any(2));
    Sample.Fixed variance = fixed(positive(2));
    add("native_batch_norm", any(3, 2, 2), positive(2), any(2), null, null, true, 0.1, 1e-3);
    add("native_batch_norm", any(3, 2), positive(2), any(2), mean, variance, false, 0.1, 1e-3);
    add("native_batch_norm", any(3, 2), null, null, null, null, true, 0.1, 1e-3);
    add(
        "_native_batch_norm_legit",
        any(3, 2),
        positive(2),
        any(2),
        mean,
        variance,
        false,
        0.1,
        1e-3);
    add("_native_batch_norm_legit.no_stats", any(3, 2), positive(2), any(2), true, 0.1, 1e-3);
    add("native_dropout", any(2, 3), 0.0, true);
    add("native_dropout", any(2, 3), 1.0, true);
    add("native_dropout", any(2, 3), 0.5, false);
    add("native_dropout_backward", any(3), mask(true, false, true), 2.0);
    add("embedding", any(4, 3), whole(0, 2, 2, 1).view(2, 2), -1, false, false);
    add("embedding", any(4, 3), whole(0, 1), 2, false, false);
    add("embedding_dense_backward", any(3, 2), whole(0, 2, 2), 4, 2, false);
  }

  private void convolutions() {
    add("convolution", any(2, 2, 5), any(3, 2, 3), any(3), l(2), l(1), l(1), false, l(0), 1);
    add(
        "convolution",
        any(1, 4, 4, 4),
        any(4, 2, 3, 2),
        any(4),
        l(1, 2),
        l(1, 0),
        l(1, 2),
        false,
        l(0, 0),
        2);
    add(
        "convolution",
        any(1, 2, 3, 3),
        any(2, 3, 2, 2),
        null,
        l(2, 1),
        l(0, 1),
        l(1, 1),
        true,
        l(1, 0),
        1);
    add(
        "convolution_backward",
        any(1, 2, 3, 3),
        any(1, 2, 4, 4),
        any(2, 2, 2, 2),
        l(2),
        l(1, 1),
        l(0, 0),
        l(1, 1),
        false,
        l(0, 0),
        1,
        new boolean[] {true, true, true});
    add("max_pool2d_with_indices", any(1, 2, 4, 5), l(2, 3), l(2, 1), l(1, 1), l(1, 1), true);
    add("max_pool2d_with_indices", any(2, 4, 4), l(2, 2), l(), l(0, 0), l(1, 1), false);
    add(
        "max_pool2d_with_indices_backward",
        any(1, 1, 1, 2),
        any(1, 1, 2, 4),
        l(2, 2),
        l(2, 2),
        l(0, 0),
        l(1, 1),
        false,
        whole(1, 6).view(1, 1, 1, 2));
    add("avg_pool2d", any(1, 2, 4, 5), l(2, 3), l(2, 1), l(1, 1), true, false, null);
    add("avg_pool2d", any(2, 4, 4), l(2, 2), l(), l(0, 0), false, true, 3L);
    add(
        "avg_pool2d_backward",
        any(1, 1, 2, 2),
        any(1, 1, 4, 4),
        l(2, 2),
        l(2, 2),
        l(0, 0),
        false,
        true,
        null);
    add("_adaptive_avg_pool2d", any(1, 2, 5, 4), l(2, 3));
    add("_adaptive_avg_pool2d_backward", any(1, 2, 2, 3), any(1, 2, 5, 4));
  }
}
