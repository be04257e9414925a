package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Attention, made of two products and a softmax. */
final class AttentionOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private AttentionOps() {}

  static void define(Definitions d) {
    d.op("_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
        .everywhere(LOOKUP, "safeSoftmax");
    d.op(
            "_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor?"
                + " attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor?"
                + " dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor,"
                + " Tensor)")
        .composite(LOOKUP, "math");
    d.op(
            "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor?"
                + " attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None,"
                + " bool enable_gqa=False) -> Tensor")
        .composite(LOOKUP, "attention");
  }

  /** Where nothing may be attended to, the weights are zero and not NaN. */
  static Tensor safeSoftmax(Tensor self, long dim, DType dtype) {
    Tensor weights = Ops.softmax(self, dim, dtype);
    Tensor masked = Ops.eq(self, Scalar.of(Double.NEGATIVE_INFINITY));
    return Ops.maskedFill(weights, Ops.all(masked, dim, true), Scalar.ZERO);
  }

  static Tensor attention(
      Tensor query,
      Tensor key,
      Tensor value,
      Tensor mask,
      double dropout,
      boolean causal,
      Double scale,
      boolean grouped) {
    Tensor bias = mask != null && mask.dtype() == DType.BOOL ? bias(mask, query) : mask;
    return math(query, key, value, bias, dropout, causal, null, scale, grouped)[0];
  }

  /** What is attended to, and the weights. */
  static Tensor[] math(
      Tensor query,
      Tensor key,
      Tensor value,
      Tensor mask,
      double dropout,
      boolean causal,
      Tensor dropoutMask,
      Double scale,
      boolean grouped) {
    check(query, key, value, mask, causal);
    // Both sides take a root of the scale: the product of neither then leaves a half's range.
    double root =
        scale == null
            ? 1 / Math.sqrt(Math.sqrt(query.shape().size(-1)))
            : Math.sqrt(Math.abs(scale));
    Scalar left = Scalar.of(scale != null && scale < 0 ? -root : root);
    Tensor keys = grouped ? shared(query, key) : key;
    Tensor values = grouped ? shared(query, value) : value;
    Tensor scores =
        Ops.matmul(Ops.mul(query, left), Ops.mul(Ops.transpose(keys, -2, -1), Scalar.of(root)));
    Tensor bias = causal ? bias(triangle(query, key), query) : mask;
    scores = bias == null ? scores : Ops.add(scores, bias);
    Tensor weights = Ops._safeSoftmax(scores, -1, null);
    if (dropoutMask != null) {
      Tensor kept = Ops.maskedFill(weights, Ops.logicalNot(dropoutMask), Scalar.ZERO);
      return new Tensor[] {
        Ops.matmul(kept, Ops.mul(values, Scalar.of(1 / (1 - dropout)))), weights
      };
    }
    Tensor dropped = dropout > 0 ? Ops.dropout(weights, dropout, true) : weights;
    return new Tensor[] {Ops.matmul(dropped, values), dropped};
  }

  /** What is added to scores so that only those count which are allowed. */
  private static Tensor bias(Tensor allowed, Tensor query) {
    Tensor zeros = Ops.zeros(allowed.shape().toArray(), query.dtype(), query.device());
    return Ops.maskedFill(zeros, Ops.logicalNot(allowed), Scalar.of(Double.NEGATIVE_INFINITY));
  }

  /** Each place sees itself and those before it. */
  private static Tensor triangle(Tensor query, Tensor key) {
    long[] sizes = {query.shape().size(-2), key.shape().size(-2)};
    Tensor all = Ops.fill_(Ops.empty(DType.BOOL, sizes, query.device()), Scalar.ONE);
    return Ops.tril(all, 0);
  }

  /** A head for each of the query's, where several share one. */
  private static Tensor shared(Tensor query, Tensor heads) {
    if (query.shape().dims() < 3) {
      throw new IllegalArgumentException(
          "scaled_dot_product_attention: enable_gqa needs heads, but query has shape="
              + query.shape());
    }
    long wanted = query.shape().size(-3);
    long there = heads.shape().size(-3);
    if (there == 0 || wanted % there != 0) {
      throw new IllegalArgumentException(
          "scaled_dot_product_attention: "
              + wanted
              + " heads of the query cannot share "
              + there
              + " of key and value");
    }
    return wanted == there ? heads : Ops.repeatInterleave(heads, wanted / there, -3L, null);
  }

  private static void check(Tensor query, Tensor key, Tensor value, Tensor mask, boolean causal) {
    String op = "scaled_dot_product_attention: ";
    if (query.dtype() != key.dtype()
        || query.dtype() != value.dtype()
        || !query.dtype().isFloating()) {
      throw new IllegalArgumentException(
          op
              + "query, key and value must be floats of one dtype, but are "
              + query.dtype()
              + ", "
              + key.dtype()
              + " and "
              + value.dtype());
    }
    if (query.shape().dims() < 2 || key.shape().dims() < 2 || value.shape().dims() < 2) {
      throw new IllegalArgumentException(
          op
              + "query, key and value must have at least 2 dims, but have shapes "
              + query.shape()
              + ", "
              + key.shape()
              + " and "
              + value.shape());
    }
    if (causal && mask != null) {
      throw new IllegalArgumentException(op + "attn_mask is not for is_causal, which is one");
    }
    if (mask != null && mask.dtype() != DType.BOOL && mask.dtype() != query.dtype()) {
      throw new IllegalArgumentException(
          op
              + "attn_mask must be of booleans or of the query's "
              + query.dtype()
              + ", but is of "
              + mask.dtype());
    }
  }
}
