package dev.jcomms.testkit.operator;

import dev.jcomms.testkit.Glob;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Where PyTorch does what nobody would ask it to, by pattern of cases, and how. */
final class KnownDifferences {
  private static final Map<String, String> REASONS = new LinkedHashMap<>();

  static {
    String noDims = "PyTorch counts one element where dim=[] reduces all";
    know(noDims, "std*(*, [], *gradients", "var*(*, [], *gradients");

    String equal = "equal elements: PyTorch divides rounding errors by rounding errors";
    know(equal, "std(*expanded) gradients", "std.*(*expanded, *gradients");
    know(equal, "std_mean*(*expanded*gradients", "batch_norm(f32[1,3]*");

    String reshape = "PyTorch cannot shape the gradient: of no elements, of what was broadcast";
    know(reshape, "embedding_dense_backward(*[0,4]*gradients");
    know(reshape, "embedding_dense_backward(*[2,0,2,4]*gradients");

    know(reshape, "binary_cross_entropy_with_logits(f32[3]*, f32[2,3]*gradients");

    String exponent = "PyTorch keeps an exponent that f32 does not hold, and finds it odd";
    know(exponent, "pow.Tensor_Scalar(f32[3], 10000000000) gradients");

    String strided = "PyTorch writes strided results wrong, or not at all";
    know(strided, "_*softmax*.out(*turned)", "matmul.out(*turned)", "linear.out(*turned)");
    String read = "PyTorch's out= form reads a strided input as if it were dense";
    know(read, "native_batch_norm.out(* turned, *", "native_batch_norm.out(* sparse, *");
    know(read, "native_batch_norm.out(* expanded, *");

    String wide = "PyTorch widens a deviation of halves, but not if there is one only";
    know(wide, "std.*out(*f16[*, f64[*", "var.*out(*f16[*, f64[*");
    String oneDnn = "PyTorch refuses it where it takes the way of oneDNN";
    know(oneDnn, "gelu_backward.grad_input(f32*, f64*", "gelu_backward.grad_input(bf16*, f16*");

    String refused = "PyTorch refuses a gradient that we give";
    know(refused, "hardsigmoid_backward(*gradients", "native_group_norm_backward(*gradients");
    know(refused, "soft_margin_loss*(*gradients", "multi_margin_loss(*gradients");
    know("rounded elsewhere on the way", "instance_norm(*[2,4]*");
    know("PyTorch's matrices of bool work while they are empty", "addbmm*bool*", "tensordot*bool*");
    know("no device that PyTorch knows", "to.device(*");
    String none = "we give none where PyTorch gives zeros";
    know(none, "*_pad*d_backward(*gradients", "adaptive_max_pool2d_backward(*gradients");
    know(none, "*matrix_power(*, 0) gradients", "put(*i64[0]*gradients");
    know(none, "max_pool3d_with_indices_backward(*gradients");
    know(none, "cdist(*, 0.0*gradients", "pdist(*, 0.0) gradients");
    know("a chain of one is copied into any dtype", "chain_matmul.out(*");
    String some = "PyTorch converts to out's dtype, but not on every way to the result";
    know(some, "*matrix_power.out(*", "diff.out(*, 0, *", "ldexp.out(*");
    know("we refuse to write where elements share memory", "index_fill_.int_Tensor(*expanded*");
    for (String op : new String[] {"a*_pool3d", "im2col", "col2im", "narrow_copy"}) {
      know(strided, op + ".out(*turned)");
    }
    know(strided, "binary_cross_entropy.out(*");
    String truths = "we refuse booleans though they be few";
    know(truths, "*median(bool*", "*median.*(bool*", "kthvalue*(bool*", "searchsorted*(bool*");
    know("PyTorch sorts NaN anywhere", "mode*(*ordered*");
    String strides = "PyTorch refuses strides here";
    know(strides, "kron(*turned*", "isin.Scalar_Tensor*turned*", "isin.Scalar_Tensor*expanded*");
    know(strides, "isin.Scalar_Tensor*sparse*", "nll_loss2d_*(*turned*");
    know(
        "PyTorch's gradient forgets that a start may be negative", "narrow_copy(*-1, 1) gradients");
    know("PyTorch refuses empty differences only where out is given", "diff.out(*[0]*");
    if (System.getProperty("os.arch").equals("amd64")) {
      knowOnX86(strided, oneDnn);
    }
  }

  private static void knowOnX86(String strided, String oneDnn) {
    String undefined = "no integer is right: C++ leaves it to the processor, and these differ";
    know(undefined, "*median(i*[0]*", "*median(i*[3,0,2]*", "to.dtype(*[NaN, *");
    know(undefined, "*median.out(i*[0]*", "*median.out(i*[3,0,2]*");
    know(undefined, "sum.IntList_out(f16[4,13] special, *");
    know(strided, "gelu.out(*turned)");
    know(oneDnn, "gelu_backward.grad_input(bf16*, f64*");
    know("oneDNN rounds halves elsewhere", "gelu*(f16[13] special*");
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
