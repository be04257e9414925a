package dev.jcomms.tensor.autograd;

import static dev.jcomms.tensor.autograd.Sample.any;
import static dev.jcomms.tensor.autograd.Sample.fixed;
import static dev.jcomms.tensor.autograd.Sample.positive;
import static dev.jcomms.tensor.autograd.Sample.strided;
import static dev.jcomms.tensor.autograd.Sample.uniform;
import static dev.jcomms.tensor.autograd.Sample.whole;

import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Losses, norms of groups, attention, and products made of products. */
final class NetworkSamples {
  private NetworkSamples() {}

  static void into(List<Sample> all) {
    for (int reduction = 0; reduction < 3; reduction++) {
      Tensor p = uniform(0.1, 0.8, 2, 3);
      Tensor q = uniform(0.1, 0.8, 2, 3);
      all.add(Sample.of("binary_cross_entropy", p, q, null, reduction));
      all.add(Sample.of("binary_cross_entropy", p, q, fixed(positive(3)), reduction));
      all.add(Sample.of("huber_loss", any(2, 3), any(2, 3), reduction, 0.7));
      all.add(Sample.of("kl_div", any(2, 3), positive(2, 3), reduction, false));
      all.add(Sample.of("soft_margin_loss", any(3), fixed(Tensor.of(1.0, -1, 1)), reduction));
      all.add(Sample.of("multi_margin_loss", any(2, 3), whole(2, 0), 2, 1, null, reduction));
    }
    all.add(Sample.of("cosine_similarity", any(2, 3), any(3), 1, 1e-8));
    all.add(Sample.of("pairwise_distance", any(2, 3), any(2, 3), 3.0, 1e-6, false));
    all.add(Sample.of("cdist", any(3, 2), any(2, 2), 2.0, null));
    all.add(Sample.of("pdist", any(3, 2), 1.5));
    all.add(Sample.of("native_group_norm", any(2, 4, 3), positive(4), any(4), 2, 4, 3, 2, 1e-3));
    all.add(Sample.of("native_group_norm", strided(2, 4), null, any(4), 2, 4, 1, 2, 1e-3));
    all.add(
        Sample.of(
            "instance_norm",
            any(2, 2, 3),
            positive(2),
            any(2),
            null,
            null,
            true,
            0.1,
            1e-3,
            false));
    all.add(
        Sample.of(
            "scaled_dot_product_attention",
            any(2, 3, 2),
            any(2, 4, 2),
            any(2, 4, 3),
            null,
            0.0,
            true,
            null,
            false));
    all.add(
        Sample.of(
            "scaled_dot_product_attention",
            any(1, 2, 3, 2),
            any(1, 1, 3, 2),
            any(1, 1, 3, 2),
            any(3, 3),
            0.0,
            false,
            0.4,
            true));
    all.add(Sample.of("_safe_softmax", any(2, 3), 1, null));
    all.add(Sample.of("einsum", "bij,kj->bik", List.of(any(2, 2, 3), any(2, 3))));
    all.add(Sample.of("einsum", "ii->i", List.of(any(3, 3))));
    all.add(Sample.of("kron", any(2, 2), any(3)));
    all.add(Sample.of("linalg_cross", any(2, 3), any(1, 3), -1));
    all.add(Sample.of("linalg_multi_dot", List.of(any(2, 3), any(3, 2), any(2))));
    all.add(Sample.of("bilinear", any(2, 3), any(2, 2), any(2, 3, 2), any(2)));
    all.add(Sample.of("cov", any(2, 4), 1, null, null));
    all.add(Sample.of("trapezoid.x", any(2, 4), any(4), 1));
  }
}
