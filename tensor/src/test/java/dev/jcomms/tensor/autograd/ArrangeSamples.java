package dev.jcomms.tensor.autograd;

import static dev.jcomms.tensor.autograd.Sample.any;
import static dev.jcomms.tensor.autograd.Sample.strided;
import static dev.jcomms.tensor.autograd.Sample.whole;

import java.util.List;

/** Elements repeated, embedded, put on diagonals and shuffled. */
final class ArrangeSamples {
  private ArrangeSamples() {}

  private static long[] l(long... values) {
    return values;
  }

  static void into(List<Sample> all) {
    all.add(Sample.of("tile", any(2, 3), l(2)));
    all.add(Sample.of("repeat_interleave.self_int", any(2, 3), 2, 1));
    all.add(Sample.of("repeat_interleave.self_Tensor", any(2, 3), whole(1, 0, 2), 1));
    all.add(Sample.of("diag", any(3), 1));
    all.add(Sample.of("diag", strided(2, 3), -1));
    all.add(Sample.of("diag_embed", any(2, 3), 1, 0, 2));
    all.add(Sample.of("diag_embed", strided(2, 3)));
    all.add(Sample.of("select_scatter", any(2, 3), any(2), 1, -1));
    all.add(Sample.of("slice_scatter", any(5, 2), any(2, 2), 0, 1, 4, 2));
    all.add(Sample.of("slice_scatter", strided(3, 2), any(3, 1), -1, null, 1, 1));
    all.add(Sample.of("diagonal_scatter", any(3, 4), any(3), 1, 0, 1));
    all.add(Sample.of("rot90", any(2, 3), 1, l(0, 1)));
    all.add(Sample.of("diff", any(2, 4), 2, 1, null, null));
    all.add(Sample.of("block_diag", List.of(any(2, 1), any(3), any())));
    all.add(Sample.of("combinations", any(4), 2, false));
    all.add(Sample.of("pixel_shuffle", any(1, 4, 2, 1), 2));
    all.add(Sample.of("pixel_unshuffle", any(1, 1, 2, 4), 2));
    all.add(Sample.of("channel_shuffle", any(1, 4, 2), 2));
  }
}
