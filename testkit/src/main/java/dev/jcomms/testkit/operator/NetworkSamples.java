package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.bool;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.list;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Losses by margin and distance, norms of groups, attention, products made of products. */
final class NetworkSamples {
  private NetworkSamples() {}

  static void add(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64)) {
      losses(s, dtype);
      distances(s, dtype);
      norms(s, dtype);
      attention(s, dtype);
      products(s, dtype);
      sums(s, dtype);
    }
    refused(s);
  }

  /** A target of 1 and -1. */
  private static TensorSpec signs(DType dtype, long... sizes) {
    return t(dtype, sizes).with((Content.Ordered) i -> i % 3 == 0 ? -1 : 1);
  }

  private static void losses(Samples s, DType dtype) {
    for (long[] shape : Samples.SHAPES) {
      for (TensorSpec x : arranged(t(dtype, shape))) {
        TensorSpec y = t(dtype, shape).salted(1);
        TensorSpec sign = signs(dtype, shape);
        for (long reduction = 0; reduction < 3; reduction++) {
          s.add("soft_margin_loss", x, sign, reduction);
          TensorSpec g = reduction == 0 ? t(dtype, shape).salted(3) : t(dtype).salted(3);
          s.add("soft_margin_loss_backward", g, x, sign, reduction);
          s.add("hinge_embedding_loss", x, sign, 1.5, reduction);
          s.add("margin_ranking_loss", x, y, sign, 0.3, reduction);
          TensorSpec count = y.with(Content.index(0, 5));
          s.add("poisson_nll_loss", x, count, true, false, 1e-8, reduction);
          s.add("poisson_nll_loss", x.with(Content.POSITIVE), count, false, true, 1e-8, reduction);
        }
      }
    }
    for (TensorSpec x : arranged(t(dtype, 4, 3))) {
      TensorSpec y = t(dtype, 4, 3).salted(1);
      TensorSpec z = t(dtype, 4, 3).salted(2);
      for (long reduction = 0; reduction < 3; reduction++) {
        s.add("cosine_embedding_loss", x, y, signs(dtype, 4), 0.1, reduction);
        s.add("triplet_margin_loss", x, y, z, 1.0, 2.0, 1e-6, false, reduction);
        s.add("triplet_margin_loss", x, y, z, 0.5, 1.0, 1e-6, true, reduction);
        TensorSpec w = t(dtype, 3).with(Content.POSITIVE);
        s.add("multi_margin_loss", x, index(3, 4), 1, 1, null, reduction);
        s.add("multi_margin_loss", x, index(3, 4), 2, 0.5, w, reduction);
      }
    }
    s.add("multi_margin_loss", t(dtype, 3), index(3));
    s.add("multi_margin_loss", t(dtype, 3), index(3, 1), 1, 1, null, 0L);
    s.add("multi_margin_loss", t(dtype, 4, 3), index(3, 4), 3);
    s.add("multi_margin_loss", t(dtype, 4, 3), index(3, 3));
    s.add("cosine_embedding_loss", t(dtype, 3), t(dtype, 3).salted(1), signs(dtype));
    s.add("triplet_margin_loss", t(dtype, 4, 3), t(dtype, 3), t(dtype, 4, 3));
    s.add("triplet_margin_loss", t(dtype, 3), t(dtype, 3).salted(1), t(dtype, 3).salted(2), 0.0);
  }

  private static void distances(Samples s, DType dtype) {
    for (TensorSpec x : arranged(t(dtype, 4, 3))) {
      for (TensorSpec y : List.of(t(dtype, 4, 3).salted(1), t(dtype, 3), t(dtype, 1, 3))) {
        for (long dim = -1; dim <= 1; dim++) {
          s.add("cosine_similarity", x, y, dim);
        }
        s.add("cosine_similarity", x, y, 2L);
        for (double p : new double[] {1, 2, 3, Double.POSITIVE_INFINITY}) {
          s.add("pairwise_distance", x, y, p, 1e-6, p == 2);
        }
      }
      for (double p : new double[] {0, 0.5, 1, 2, 3, Double.POSITIVE_INFINITY}) {
        s.add("cdist", x, t(dtype, 2, 3).salted(1), p);
        s.add("cdist", x, t(dtype, 5, 2, 3).salted(1), p, 2L);
        s.add("pdist", x, p);
      }
    }
    s.add("cdist", t(dtype, 4, 0), t(dtype, 2, 0));
    s.add("cdist", t(dtype, 0, 3), t(dtype, 2, 3));
    s.add("cdist", t(dtype, 4, 3), t(dtype, 2, 2));
    s.add("cdist", t(dtype, 3), t(dtype, 2, 3));
    s.add("cdist", t(dtype, 4, 3), t(dtype, 2, 3), -1.0);
    s.add("cdist", t(dtype, 4, 3), t(dtype, 2, 3), 2.0, 3L);
    s.add("pdist", t(dtype, 1, 3));
    s.add("pdist", t(dtype, 3));
    s.add("cosine_similarity", t(dtype, 0, 3), t(dtype, 0, 3));
    s.add("cosine_similarity", t(dtype, 2, 3), t(dtype, 2, 2));
  }

  private static void norms(Samples s, DType dtype) {
    for (long[] shape : List.of(longs(2, 4, 3), longs(2, 4), longs(1, 4, 2, 2))) {
      for (TensorSpec x : arranged(t(dtype, shape))) {
        TensorSpec w = t(dtype, 4).salted(1);
        TensorSpec b = t(dtype, 4).salted(2);
        s.add("group_norm", x, 2L, w, b);
        s.add("group_norm", x, 4L, w, null, 1e-3);
        s.add("group_norm", x, 1L);
        s.add("group_norm", x, 3L);
        s.add("group_norm", x, 2L, t(dtype, 3), null);
        s.add("instance_norm", x, w, b, null, null, true, 0.1, 1e-5, false);
        s.add("instance_norm", x, null, null, null, null, true, 0.1, 1e-3, false);
        s.add(
            "instance_norm",
            x,
            w,
            b,
            t(dtype, 4).salted(3),
            t(dtype, 4).with(Content.POSITIVE),
            false,
            0.1,
            1e-5,
            false);
        s.add("instance_norm", x, w, b, null, null, false, 0.1, 1e-5, false);
        TensorSpec plain = t(dtype, shape);
        long places = 1;
        for (int d = 2; d < shape.length; d++) {
          places *= shape[d];
        }
        s.add("native_group_norm", plain, w, b, shape[0], 4L, places, 2L, 1e-5);
        s.add("native_group_norm", plain, null, null, shape[0], 4L, places, 1L, 1e-5);
        TensorSpec mean = t(dtype, shape[0], 2).salted(4);
        TensorSpec rate = t(dtype, shape[0], 2).with(Content.POSITIVE).salted(5);
        boolean[] all = {true, true, true};
        s.add(
            "native_group_norm_backward",
            plain.salted(6),
            plain,
            mean,
            rate,
            w,
            shape[0],
            4L,
            places,
            2L,
            all);
      }
    }
    s.add("group_norm", t(dtype, 4), 2L);
    s.add("group_norm", t(dtype, 0, 4, 2), 2L);
    for (TensorSpec x : arranged(t(dtype, 3, 4))) {
      s.add("rms_norm", x, longs(4));
      s.add("rms_norm", x, longs(3, 4), t(dtype, 3, 4).salted(1), 1e-3);
      s.add("rms_norm", x, longs(3));
    }
  }

  private static void attention(Samples s, DType dtype) {
    for (TensorSpec q : arranged(t(dtype, 2, 4, 3, 5))) {
      TensorSpec k = t(dtype, 2, 4, 6, 5).salted(1);
      TensorSpec v = t(dtype, 2, 4, 6, 2).salted(2);
      s.add("scaled_dot_product_attention", q, k, v);
      s.add("scaled_dot_product_attention", q, k, v, null, 0.0, true);
      s.add("scaled_dot_product_attention", q, k, v, t(dtype, 3, 6).salted(3));
      s.add("scaled_dot_product_attention", q, k, v, bool(2, 1, 3, 6).salted(4));
      s.add("scaled_dot_product_attention", q, k, v, null, 0.0, false, 0.3);
      s.add("scaled_dot_product_attention", q, k, v, bool(3, 6), 0.0, true);
      s.addHeader("scaled_dot_product_attention", q, k, v, null, 0.5);
      TensorSpec few = t(dtype, 2, 2, 6, 5).salted(1);
      TensorSpec fewer = t(dtype, 2, 2, 6, 2).salted(2);
      s.add("scaled_dot_product_attention", q, few, fewer, null, 0.0, false, null, true);
      s.add("scaled_dot_product_attention", q, few, fewer, null, 0.0, true, 0.5, true);
      s.add("_scaled_dot_product_attention_math", q, k, v, bool(3, 6).salted(4));
      s.add("_scaled_dot_product_attention_math", q, k, v, null, 0.0, true);
    }
    s.add("scaled_dot_product_attention", t(dtype, 3, 4), t(dtype, 5, 4), t(dtype, 5, 2));
    s.add("scaled_dot_product_attention", t(dtype, 4), t(dtype, 5, 4), t(dtype, 5, 2));
    s.add("scaled_dot_product_attention", t(dtype, 3, 4), t(dtype, 5, 3), t(dtype, 5, 2));
    TensorSpec masked =
        t(dtype, 3, 4).with((Content.Ordered) i -> i < 8 ? Double.NEGATIVE_INFINITY : i);
    s.add("_safe_softmax", masked, 1L);
    s.add("_safe_softmax", masked, 0L);
    s.add("_safe_softmax", t(dtype, 2, 3).with(Content.SPECIAL), -1L);
  }

  private static void products(Samples s, DType dtype) {
    for (TensorSpec a : arranged(t(dtype, 2, 3))) {
      TensorSpec b = t(dtype, 3, 4).salted(1);
      for (String equation :
          List.of("ij,jk->ik", "ij,jk", "ij , jk -> ki", "ij,jk->", "ij,jk->ijk", "ij,jk->j")) {
        s.add("einsum", equation, list(a, b));
      }
      for (String equation :
          List.of("ij->ji", "ij->", "ij->i", "ij", "ji", "...j->...", "i...->...i")) {
        s.add("einsum", equation, list(a));
      }
      s.add("einsum", "ij,ij->i", list(a, t(dtype, 2, 3).salted(2)));
      s.add("einsum", "ij,kj,kl->il", list(a, t(dtype, 4, 3).salted(2), t(dtype, 4, 2).salted(3)));
      s.add("einsum", "i,j->ij", list(t(dtype, 2), t(dtype, 3)));
      s.add("einsum", "ij,jk->iz", list(a, b));
      s.add("einsum", "ij,jk->iik", list(a, b));
      s.add("einsum", "ij,jk", list(a));
      s.add("einsum", "ijk->i", list(a));
      s.add("einsum", "ij,kj->ik", list(a, b));
      s.add("einsum", "i1->i", list(a));
      s.add("kron", a, b);
      s.add("kron", a, t(dtype, 2).salted(1));
      s.add("kron", a, t(dtype).salted(1));
      s.add("chain_matmul", list(a, b, t(dtype, 4, 2)));
      s.add("chain_matmul", list(a));
      s.add("chain_matmul", list(a, t(dtype, 3)));
      s.add("linalg_multi_dot", list(a, b, t(dtype, 4, 5), t(dtype, 5, 1)));
      s.add("linalg_multi_dot", list(t(dtype, 2), a, t(dtype, 3)));
      s.add("linalg_multi_dot", list(a));
      s.add("linalg_multi_dot", list(a, a));
      s.add("linalg_matmul", a, b);
      s.add("linalg_vecdot", a, t(dtype, 2, 3).salted(1));
      s.add("linalg_vecdot", a, t(dtype, 3).salted(1), -1L);
      s.add("linalg_vecdot", a, t(dtype, 2, 3).salted(1), 0L);
      s.add("linalg_diagonal", a);
      s.add("linalg_vander", a);
      s.add("linalg_vander", a, 4L);
      s.add("linalg_vander", a, 1L);
      TensorSpec c = t(dtype, 5, 2, 3).salted(1);
      s.add("addbmm", t(dtype, 2, 4), c, t(dtype, 5, 3, 4).salted(2));
      s.add("addbmm", t(dtype, 4), c, t(dtype, 5, 3, 4).salted(2), 0.5, 2);
      s.add("addbmm", t(dtype, 2, 4), c, t(dtype, 4, 3, 4));
      TensorSpec w = t(dtype, 4, 3, 2).salted(1);
      s.add("bilinear", a, t(dtype, 2, 2).salted(2), w, t(dtype, 4));
      s.add("bilinear", a, t(dtype, 2, 2).salted(2), w);
      s.add("bilinear", a, t(dtype, 2, 3).salted(2), w);
    }
    s.add("einsum", "bij,bjk->bik", list(t(dtype, 2, 3, 4), t(dtype, 2, 4, 5)));
    s.add("einsum", "...ij,...jk->...ik", list(t(dtype, 2, 3, 4), t(dtype, 4, 5)));
    s.add("einsum", "bhid,bhjd->bhij", list(t(dtype, 2, 2, 3, 4), t(dtype, 2, 2, 5, 4)));
    s.add("einsum", "ii->i", list(t(dtype, 3, 3)));
    s.add("einsum", "ii", list(t(dtype, 3, 3)));
    s.add("einsum", "iji->j", list(t(dtype, 3, 2, 3)));
    s.add("einsum", "ij,jk->ik", list(t(dtype, 0, 3), t(dtype, 3, 2)));
    s.add("einsum", ",i->i", list(t(dtype), t(dtype, 3)));
    s.add("einsum", "", list(t(dtype)));
    for (TensorSpec x : arranged(t(dtype, 4, 3))) {
      s.add("linalg_cross", x, t(dtype, 4, 3).salted(1));
      s.add("linalg_cross", x, t(dtype, 1, 3).salted(1));
      s.add("linalg_cross", x, t(dtype, 4, 3).salted(1), 0L);
      s.add("cross", x, t(dtype, 4, 3).salted(1));
      s.add("cross", x, t(dtype, 4, 3).salted(1), 1L);
      s.add("linalg_cross", x, t(dtype, 3));
    }
    s.add("cross", t(dtype, 2), t(dtype, 2));
  }

  private static void sums(Samples s, DType dtype) {
    for (TensorSpec x : arranged(t(dtype, 3, 5))) {
      s.add("cov", x);
      s.add("cov", x, 0L, index(4, 5), t(dtype, 5).with(Content.POSITIVE));
      s.add("cov", x, 1L, index(4, 5));
      s.add("cov", x, 1L, null, t(dtype, 5).with(Content.POSITIVE));
      s.add("cov", x, 1L, index(4, 3));
      s.add("corrcoef", x);
      for (long dim = -1; dim <= 1; dim++) {
        for (String op : List.of("trapezoid", "cumulative_trapezoid")) {
          s.add(op + ".dx", x, 0.5, dim);
          s.add(op + ".x", x, t(dtype, 3, 5).salted(1), dim);
          s.add(op + ".x", x, t(dtype, 5).salted(1), dim);
        }
        s.add("trapz.dx", x, 0.5, dim);
        s.add("trapz.x", x, t(dtype, 3, 5).salted(1), dim);
      }
    }
    s.add("cov", t(dtype, 4));
    s.add("cov", t(dtype, 2, 2, 2));
    s.add("corrcoef", t(dtype, 4));
    s.add("trapezoid.dx", t(dtype, 0));
    s.add("trapezoid.x", t(dtype, 4), t(dtype, 4).salted(1));
    s.add("cumulative_trapezoid.dx", t(dtype, 1));
  }

  private static void refused(Samples s) {
    s.add("huber_loss", f32(3), f32(3), 1L, 0.0);
    s.add("binary_cross_entropy", f32(3), f32(3));
    s.add("binary_cross_entropy", f32(3).with(Content.PROBABILITY), f32(2));
    s.add("cosine_embedding_loss", f32(4, 3), f32(4, 3), f32(4, 3));
    s.add("cosine_similarity", i64(4, 3), i64(4, 3));
    s.add("cdist", i64(4, 3), i64(4, 3));
    s.add("cov", bool(3, 4));
    s.add("cov", i64(3, 4));
    s.add("scaled_dot_product_attention", f32(3, 4), f64(5, 4), f32(5, 2));
    s.add("group_norm", i64(2, 4, 3), 2L);
    s.add("linalg_vecdot", i64(3), i64(3));
    s.add("linalg_vecdot", f32(3), f64(3));
    s.add("kron", i64(2), bool(3));
    s.add("linalg_vander", i64(3));
    s.add("einsum", "ij,jk->ik", list(i64(2, 3), i64(3, 2)));
  }
}
