package dev.jcomms.testkit.operator;

import dev.jcomms.testkit.Glob;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Where we do not do as PyTorch does, by pattern of cases, and why. */
final class KnownDifferences {
  private static final Map<String, String> REASONS = new LinkedHashMap<>();

  static {
    String missing = "no derivative yet";
    know(missing, "sgn(*gradients", "copysign.Tensor(*gradients", "logaddexp(*gradients");
    know(missing, "scatter_reduce.two(*gradients");
    know(missing, "as_strided(* expanded*gradients");

    String refused = "PyTorch refuses a gradient that we give";
    know(
        refused,
        "sum(*, i32) gradients",
        "prod(*, i32) gradients",
        "masked_fill.Tensor(*gradients");
    know(refused, "bernoulli.p(*gradients", "remainder.Scalar_Tensor(*gradients");
    know(refused, "silu_backward(*gradients", "hardsigmoid_backward(*gradients");
    know(refused, "embedding_dense_backward(*gradients", "nll_loss_backward(*gradients");
    know(refused, "binary_cross_entropy_with_logits(*gradients", "*batch_norm(*gradients");

    know(refused, "native_group_norm_backward(*gradients");
    know(refused, "soft_margin_loss*(*gradients", "multi_margin_loss(*gradients");

    String edge = "gradients where there is none: of equal elements, of no dims, of order 0";
    know(edge, "std*(*expanded*gradients", "var*(*expanded*gradients");
    know(edge, "std*(*[]*gradients", "var*(*[]*gradients", "logit(*gradients");
    know(edge, "linalg_vector_norm(*, 0, *gradients", "norm.ScalarOpt_dim(*, 0, *gradients");

    String rounding = "rounded elsewhere on the way";
    know(rounding, "convolution_backward*bf16*", "pow.Tensor_Tensor(f32*f64*gradients");
    know(rounding, "batch_norm(f32[1,3]*", "instance_norm(*[2,4]*");

    know("PyTorch refuses to reduce no dims", "logsumexp*[]*");
    know("PyTorch's matrices of bool work while they are empty", "*addmm*bool*", "*baddbmm*bool*");
    know("PyTorch's matrices of bool work while they are empty", "linear*bool*", "inner*bool*");
    know("PyTorch's matrices of bool work while they are empty", "addbmm*bool*", "tensordot*bool*");
    know("no device that PyTorch knows", "to.device(*");
    know("PyTorch refuses strides here", "nll_loss2d_*(*turned*");
    String none = "we give none where PyTorch gives zeros";
    know(none, "*_pad*d_backward(*gradients", "adaptive_max_pool2d_backward(*gradients");
    know(none, "*matrix_power(*, 0) gradients", "put(*i64[0]*gradients");
    know(none, "max_pool3d_with_indices_backward(*gradients");
    for (String op : new String[] {"a*_pool3d", "im2col", "col2im"}) {
      know("PyTorch writes strided results wrong, or not at all", op + ".out(*turned)");
    }
    String truths = "we refuse booleans though they be few";
    know(truths, "*median(bool*", "*median.*(bool*", "kthvalue*(bool*", "searchsorted*(bool*");
    know("PyTorch sorts NaN anywhere", "mode*(*ordered*");
    String strides = "PyTorch refuses strides here";
    know(strides, "kron(*turned*", "isin.Scalar_Tensor*turned*", "isin.Scalar_Tensor*expanded*");
    know(strides, "isin.Scalar_Tensor*sparse*");
    know("PyTorch writes strided results wrong, or not at all", "binary_cross_entropy.out(*");
    know("PyTorch writes strided results wrong, or not at all", "_*softmax*.out(*turned)");
    know("PyTorch writes strided results wrong, or not at all", "matmul.out(*turned)");
    know("PyTorch writes strided results wrong, or not at all", "linear.out(*turned)");
    know("PyTorch writes strided results wrong, or not at all", "native_batch_norm.out(*");
    know("PyTorch writes strided results wrong, or not at all", "narrow_copy.out(*turned)");
    know(
        "PyTorch's gradient forgets that a start may be negative", "narrow_copy(*-1, 1) gradients");
    know("PyTorch refuses empty differences only where out is given", "diff.out(*[0]*");
    know("in place we take a dtype, and booleans", "cumsum_(*", "cumprod_(*");
  }

  private KnownDifferences() {}

  private static void know(String reason, String... patterns) {
    for (String pattern : patterns) {
      REASONS.put(pattern, reason);
    }
  }

  static Optional<String> why(String name) {
    return REASONS.entrySet().stream()
        .filter(entry -> Glob.of(entry.getKey()).test(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
