package dev.jcomms.tensor.autograd;

import static dev.jcomms.tensor.autograd.Sample.any;
import static dev.jcomms.tensor.autograd.Sample.fixed;
import static dev.jcomms.tensor.autograd.Sample.strided;
import static dev.jcomms.tensor.autograd.Sample.whole;

import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Ranks, extremes so far, writing by flat index, recurrent networks, resized images. */
final class RankSamples {
  private RankSamples() {}

  private static long[] l(long... values) {
    return values;
  }

  static void into(List<Sample> all) {
    all.add(Sample.of("nanmedian.dim", any(2, 3), 1, false));
    all.add(Sample.of("nanmedian.dim", strided(3, 2), 0, true));
    all.add(Sample.of("median", any(2, 3)));
    all.add(Sample.of("nanmedian", any(2, 3)));
    for (String name : List.of("cummax", "cummin", "logcumsumexp")) {
      all.add(Sample.of(name, any(2, 4), 1));
      all.add(Sample.of(name, strided(3, 2), 0));
      all.add(Sample.of(name, any(), 0));
    }
    all.add(Sample.of("quantile", any(3, 4), fixed(Tensor.of(0.2, 0.7)), 1, false, "linear"));
    all.add(Sample.of("nanmean", any(2, 3), l(1), false, null));
    all.add(Sample.of("put", any(2, 3), whole(0, 4), any(2), false));
    all.add(Sample.of("renorm", any(2, 3), 2, 0, 0.5));
    List<Tensor> params = List.of(any(8, 3), any(8, 2), any(8), any(8));
    List<Tensor> states = List.of(any(1, 2, 2), any(1, 2, 2));
    all.add(
        Sample.of("lstm.input", any(3, 2, 3), states, params, true, 1, 0.0, true, false, false)
            .firstOnly());
    List<Tensor> gates = List.of(any(6, 3), any(6, 2));
    all.add(
        Sample.of("gru.input", any(2, 2, 3), any(1, 2, 2), gates, false, 1, 0.0, true, false, true)
            .firstOnly());
    all.add(Sample.of("upsample_bilinear2d", any(1, 1, 3, 2), l(4, 5), false, null, null));
    all.add(Sample.of("upsample_bicubic2d", any(1, 1, 3, 2), l(4, 5), true, null, null));
    all.add(Sample.of("upsample_nearest2d", any(1, 2, 2, 3), l(3, 3), null, null));
    all.add(Sample.of("reflection_pad2d", any(1, 3, 3), l(1, 2, 0, 1)));
    all.add(Sample.of("replication_pad1d", any(2, 3), l(2, 1)));
    all.add(Sample.of("conv3d", any(1, 2, 3, 3, 2), any(2, 2, 2, 2, 2), any(2)).firstOnly());
    all.add(Sample.of("max_pool3d", any(1, 3, 2, 4), l(2)));
    all.add(Sample.of("avg_pool3d", any(1, 3, 2, 4), l(2)));
    all.add(Sample.of("adaptive_max_pool2d", any(1, 3, 4), l(2, 3)));
    all.add(Sample.of("im2col", any(1, 1, 3, 3), l(2, 2), l(1, 1), l(0, 1), l(1, 1)));
    all.add(Sample.of("col2im", any(1, 4, 4), l(3, 3), l(2, 2), l(1, 1), l(0, 0), l(1, 1)));
  }
}
