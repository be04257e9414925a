package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.List;

/**
 * The same elements in another arrangement: repeated, turned, on a diagonal, shuffled, embedded.
 */
final class RepeatOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private RepeatOps() {}

  static void define(Definitions d) {
    d.op("repeat(Tensor self, SymInt[] repeats) -> Tensor")
        .composite(LOOKUP, "repeat")
        .exactOut("out");
    d.op("tile(Tensor self, SymInt[] dims) -> Tensor").composite(LOOKUP, "tile");
    d.op("repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor")
        .everywhere(LOOKUP, "repeatInterleave")
        .exactOut("Tensor_out");
    d.op(
            "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *,"
                + " SymInt? output_size=None) -> Tensor")
        .composite(LOOKUP, "repeatInterleaveTensor");
    d.op(
            "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt?"
                + " output_size=None) -> Tensor")
        .composite(LOOKUP, "repeatInterleaveInt");
    d.op("diag(Tensor self, int diagonal=0) -> Tensor").composite(LOOKUP, "diag").exactOut("out");
    d.op("diagflat(Tensor self, int offset=0) -> Tensor").composite(LOOKUP, "diagflat");
    d.op("diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor")
        .everywhere(LOOKUP, "diagEmbed")
        .exactOut("out");
    d.op("select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor")
        .everywhere(LOOKUP, "selectScatter")
        .exactOut("out");
    d.op(
            "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt?"
                + " end=None, SymInt step=1) -> Tensor")
        .everywhere(LOOKUP, "sliceScatter")
        .exactOut("out");
    d.op(
            "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) ->"
                + " Tensor")
        .everywhere(LOOKUP, "diagonalScatter")
        .exactOut("out");
    d.op("rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor")
        .composite(LOOKUP, "rot90")
        .exactOut("out");
    d.op("fliplr(Tensor self) -> Tensor").composite(LOOKUP, "fliplr");
    d.op("flipud(Tensor self) -> Tensor").composite(LOOKUP, "flipud");
    d.op("moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)")
        .composite(LOOKUP, "moveaxisList");
    d.op("moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)")
        .composite(LOOKUP, "moveaxis");
    d.op("swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)").composite(LOOKUP, "swapdims");
    d.op("adjoint(Tensor(a) self) -> Tensor(a)").composite(LOOKUP, "adjoint");
    d.op("narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor")
        .composite(LOOKUP, "narrowCopy")
        .exactOut("out");
    d.op(
            "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None)"
                + " -> Tensor")
        .composite(LOOKUP, "diff")
        .out("out");
    d.op("pixel_shuffle(Tensor self, int upscale_factor) -> Tensor")
        .composite(LOOKUP, "pixelShuffle")
        .exactOut("out");
    d.op("pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor")
        .composite(LOOKUP, "pixelUnshuffle")
        .exactOut("out");
    d.op("channel_shuffle(Tensor self, SymInt groups) -> Tensor")
        .composite(LOOKUP, "channelShuffle")
        .exactOut("out");
    d.op("native_channel_shuffle(Tensor self, SymInt groups) -> Tensor")
        .everywhere(LOOKUP, "channelShuffle");
    d.op("argwhere(Tensor self) -> Tensor").composite(LOOKUP, "argwhere");
    d.op("nonzero_numpy(Tensor self) -> Tensor[]").composite(LOOKUP, "nonzeroNumpy");
    d.op("msort(Tensor self) -> Tensor").composite(LOOKUP, "msort").exactOut("out");
    d.op("type_as(Tensor self, Tensor other) -> Tensor").composite(LOOKUP, "typeAs");
    d.op("is_same_size(Tensor self, Tensor other) -> bool").everywhere(LOOKUP, "isSameSize");
  }

  static Tensor repeat(Tensor self, long[] repeats) {
    int dims = self.shape().dims();
    if (repeats.length < dims) {
      throw new IllegalArgumentException(
          "repeat: repeats="
              + Arrays.toString(repeats)
              + " must have a number for each dim of "
              + self.shape());
    }
    int n = repeats.length;
    long[] raised = new long[2 * n]; // one dim to repeat before each that there is
    long[] wide = new long[2 * n];
    long[] sizes = new long[n];
    for (int d = 0; d < n; d++) {
      if (repeats[d] < 0) {
        throw new IllegalArgumentException(
            "repeat: repeats=" + Arrays.toString(repeats) + " must not be negative");
      }
      long size = d < n - dims ? 1 : self.shape().size(d - (n - dims));
      raised[2 * d] = 1;
      raised[2 * d + 1] = size;
      wide[2 * d] = repeats[d];
      wide[2 * d + 1] = size;
      sizes[d] = repeats[d] * size;
    }
    return Ops.reshape(Ops.clone(Ops.expand(Ops.reshape(self, raised), wide)), sizes);
  }

  static Tensor tile(Tensor self, long[] dims) {
    int missing = Math.max(0, self.shape().dims() - dims.length);
    long[] all = new long[missing + dims.length];
    Arrays.fill(all, 0, missing, 1);
    System.arraycopy(dims, 0, all, missing, dims.length);
    return repeat(self, all);
  }

  /** The place of each number, as often as the number says. */
  static Tensor repeatInterleave(Tensor repeats, Long outputSize) {
    if (repeats.shape().dims() != 1
        || repeats.dtype() != DType.I64 && repeats.dtype() != DType.I32) {
      throw new IllegalArgumentException(
          "repeat_interleave: repeats must be a line of i64 or i32, but are "
              + repeats.dtype()
              + repeats.shape());
    }
    long[] counts = repeats.cpu().toLongArray();
    long total = 0;
    for (long count : counts) {
      if (count < 0) {
        throw new IllegalArgumentException("repeat_interleave: repeats must not be negative");
      }
      total += count;
    }
    if (outputSize != null && outputSize != total) {
      throw new IllegalArgumentException(
          "repeat_interleave: output_size=" + outputSize + ", but the repeats sum to " + total);
    }
    long[] places = new long[Math.toIntExact(total)];
    int at = 0;
    for (int i = 0; i < counts.length; i++) {
      Arrays.fill(places, at, at + (int) counts[i], i);
      at += (int) counts[i];
    }
    return Tensor.of(places).to(repeats.dtype()).to(repeats.device());
  }

  static Tensor repeatInterleaveTensor(Tensor self, Tensor repeats, Long dim, Long outputSize) {
    Tensor input = lined(self, dim);
    int d = TensorAccess.wrap(dim == null ? 0 : dim, input.shape().dims(), "repeat_interleave");
    long size = input.shape().size(d);
    Tensor counts = repeats;
    if (repeats.shape().dims() == 0 || repeats.shape().dims() == 1 && repeats.elements() == 1) {
      counts = Ops.expand(Ops.reshape(repeats, 1), size);
    } else if (repeats.shape().dims() != 1 || repeats.elements() != size) {
      throw new IllegalArgumentException(
          "repeat_interleave: repeats of shape="
              + repeats.shape()
              + " do not go with size="
              + size
              + " of dim="
              + d);
    }
    return Ops.indexSelect(input, d, Ops.repeatInterleave(counts, outputSize));
  }

  private static Tensor lined(Tensor self, Long dim) {
    if (dim != null && self.shape().dims() == 0) {
      throw new IndexOutOfBoundsException(
          "repeat_interleave: dim=" + dim + ", but a 0-d tensor has no dims");
    }
    return dim == null ? Ops.reshape(self, -1) : self;
  }

  static Tensor repeatInterleaveInt(Tensor self, long repeats, Long dim, Long outputSize) {
    Tensor input = lined(self, dim);
    int d = TensorAccess.wrap(dim == null ? 0 : dim, input.shape().dims(), "repeat_interleave");
    long[] sizes = input.shape().toArray();
    if (repeats < 0 || outputSize != null && outputSize != sizes[d] * repeats) {
      throw new IllegalArgumentException(
          "repeat_interleave: repeats="
              + repeats
              + " of size="
              + sizes[d]
              + " do not make output_size="
              + outputSize);
    }
    long[] wide = new long[sizes.length + 1];
    System.arraycopy(sizes, 0, wide, 0, d + 1);
    wide[d + 1] = repeats;
    System.arraycopy(sizes, d + 1, wide, d + 2, sizes.length - d - 1);
    sizes[d] *= repeats;
    return Ops.reshape(Ops.clone(Ops.expand(Ops.unsqueeze(input, d + 1), wide)), sizes);
  }

  // ---- diagonals and parts

  static Tensor diag(Tensor self, long diagonal) {
    return switch (self.shape().dims()) {
      case 1 -> Ops.diagEmbed(self, diagonal, 0, 1);
      case 2 -> Ops.clone(Ops.diagonal(self, diagonal, 0, 1));
      default ->
          throw new IllegalArgumentException(
              "diag: needs a line or a matrix, but has shape=" + self.shape());
    };
  }

  static Tensor diagflat(Tensor self, long offset) {
    return Ops.diagEmbed(Ops.reshape(self, -1), offset, 0, 1);
  }

  static Tensor diagEmbed(Tensor self, long offset, long dim1, long dim2) {
    int dims = self.shape().dims() + 1;
    int first = TensorAccess.wrap(dim1, dims, "the result of diag_embed");
    int second = TensorAccess.wrap(dim2, dims, "the result of diag_embed");
    if (first == second) {
      throw new IllegalArgumentException(
          "diag_embed: dim1=" + dim1 + " and dim2=" + dim2 + " are the same");
    }
    long side = (self.shape().dims() == 0 ? 1 : self.shape().size(-1)) + Math.abs(offset);
    long[] sizes = new long[dims];
    for (int d = 0, from = 0; d < dims; d++) {
      sizes[d] = d == first || d == second ? side : self.shape().size(from++);
    }
    Tensor out = Ops.zeros(sizes, self.dtype(), self.device());
    Ops.copy_(Ops.diagonal(out, offset, first, second), self);
    return out;
  }

  static Tensor selectScatter(Tensor self, Tensor src, long dim, long index) {
    Tensor out = Ops.clone(self);
    return embed("select_scatter", out, Ops.select(out, dim, index), src);
  }

  static Tensor sliceScatter(Tensor self, Tensor src, long dim, Long start, Long end, long step) {
    Tensor out = Ops.clone(self);
    long first = start == null ? 0 : start;
    long last = end == null ? Long.MAX_VALUE : end;
    return embed("slice_scatter", out, Ops.slice(out, dim, first, last, step), src);
  }

  static Tensor diagonalScatter(Tensor self, Tensor src, long offset, long dim1, long dim2) {
    Tensor out = Ops.clone(self);
    return embed("diagonal_scatter", out, Ops.diagonal(out, offset, dim1, dim2), src);
  }

  private static Tensor embed(String op, Tensor out, Tensor part, Tensor src) {
    if (!part.shape().equals(src.shape())) {
      throw new IllegalArgumentException(
          op + ": src of shape=" + src.shape() + " must have that of the part, " + part.shape());
    }
    Ops.copy_(part, src);
    return out;
  }

  static Tensor narrowCopy(Tensor self, long dim, long start, long length) {
    int d = TensorAccess.wrap(dim, self.shape().dims(), "narrow_copy of " + self.shape());
    long size = self.shape().size(d);
    long first = start < 0 ? start + size : start;
    if (length < 0 || first < 0 || first + length > size) {
      throw new IllegalArgumentException(
          "narrow_copy: start=" + start + " and length=" + length + " exceed size=" + size);
    }
    return Ops.clone(Ops.slice(self, d, first, first + length, 1));
  }

  // ---- turned and swapped

  static Tensor rot90(Tensor self, long k, long[] dims) {
    int n = self.shape().dims();
    if (dims.length != 2 || n < 2) {
      throw new IllegalArgumentException(
          "rot90: needs 2 dims of at least 2, but has dims="
              + Arrays.toString(dims)
              + " of shape="
              + self.shape());
    }
    int a = TensorAccess.wrap(dims[0], n, "rot90 of " + self.shape());
    int b = TensorAccess.wrap(dims[1], n, "rot90 of " + self.shape());
    if (a == b) {
      throw new IllegalArgumentException("rot90: dims=" + Arrays.toString(dims) + " are the same");
    }
    return switch ((int) Math.floorMod(k, 4L)) {
      case 1 -> Ops.transpose(Ops.flip(self, new long[] {b}), a, b);
      case 2 -> Ops.flip(self, new long[] {a, b});
      case 3 -> Ops.transpose(Ops.flip(self, new long[] {a}), a, b);
      default -> Ops.clone(self);
    };
  }

  static Tensor fliplr(Tensor self) {
    if (self.shape().dims() < 2) {
      throw new IllegalArgumentException("fliplr: needs 2 dims, but has shape=" + self.shape());
    }
    return Ops.flip(self, new long[] {1});
  }

  static Tensor flipud(Tensor self) {
    if (self.shape().dims() < 1) {
      throw new IllegalArgumentException("flipud: needs a dim, but is 0-d");
    }
    return Ops.flip(self, new long[] {0});
  }

  static Tensor moveaxisList(Tensor self, long[] source, long[] destination) {
    return Ops.movedim(self, source, destination);
  }

  static Tensor moveaxis(Tensor self, long source, long destination) {
    return Ops.movedim(self, new long[] {source}, new long[] {destination});
  }

  static Tensor swapdims(Tensor self, long dim0, long dim1) {
    return Ops.transpose(self, dim0, dim1);
  }

  static Tensor adjoint(Tensor self) {
    if (self.shape().dims() == 1) {
      throw new IllegalArgumentException("adjoint: a line is not a matrix");
    }
    return self.shape().dims() == 0 ? self : Ops.transpose(self, -2, -1);
  }

  static Tensor pixelShuffle(Tensor self, long factor) {
    long[] sizes = image("pixel_shuffle", self, factor);
    int n = sizes.length;
    long square = factor * factor;
    if (sizes[n - 3] % square != 0) {
      throw new IllegalArgumentException(
          "pixel_shuffle: channels of shape="
              + self.shape()
              + " do not divide by the square of upscale_factor="
              + factor);
    }
    long channels = sizes[n - 3] / square;
    Shape split = replaced(sizes, channels, factor, factor, sizes[n - 2], sizes[n - 1]);
    Shape out = replaced(sizes, channels, sizes[n - 2] * factor, sizes[n - 1] * factor);
    Tensor parts = Ops.reshape(self, split.toArray());
    return Ops.reshape(Ops.permute(parts, order(n - 3, 0, 3, 1, 4, 2)), out.toArray());
  }

  static Tensor pixelUnshuffle(Tensor self, long factor) {
    long[] sizes = image("pixel_unshuffle", self, factor);
    int n = sizes.length;
    if (sizes[n - 2] % factor != 0 || sizes[n - 1] % factor != 0) {
      throw new IllegalArgumentException(
          "pixel_unshuffle: the image of shape="
              + self.shape()
              + " does not divide by downscale_factor="
              + factor);
    }
    long rows = sizes[n - 2] / factor;
    long columns = sizes[n - 1] / factor;
    Shape split = replaced(sizes, sizes[n - 3], rows, factor, columns, factor);
    Shape out = replaced(sizes, sizes[n - 3] * factor * factor, rows, columns);
    Tensor parts = Ops.reshape(self, split.toArray());
    return Ops.reshape(Ops.permute(parts, order(n - 3, 0, 2, 4, 1, 3)), out.toArray());
  }

  private static long[] image(String op, Tensor self, long factor) {
    if (self.shape().dims() < 3 || factor <= 0) {
      throw new IllegalArgumentException(
          op
              + ": needs an image of at least 3 dims and a factor above 0, but has shape="
              + self.shape()
              + " and "
              + factor);
    }
    return self.shape().toArray();
  }

  /** The sizes with others in place of the last three. */
  private static Shape replaced(long[] sizes, long... last) {
    long[] all = Arrays.copyOf(sizes, sizes.length - 3 + last.length);
    System.arraycopy(last, 0, all, sizes.length - 3, last.length);
    return Shape.of(all);
  }

  /** Leading dims as they are, then the others in that order. */
  private static long[] order(int leading, int... others) {
    long[] all = new long[leading + others.length];
    for (int d = 0; d < all.length; d++) {
      all[d] = d < leading ? d : leading + others[d - leading];
    }
    return all;
  }

  static Tensor channelShuffle(Tensor self, long groups) {
    long[] sizes = self.shape().toArray();
    if (sizes.length < 3 || groups <= 0 || sizes[1] % groups != 0) {
      throw new IllegalArgumentException(
          "channel_shuffle: shape="
              + self.shape()
              + " must have 3 or more dims, and channels that divide by groups="
              + groups);
    }
    long[] split = new long[sizes.length + 1];
    split[0] = sizes[0];
    split[1] = groups;
    split[2] = sizes[1] / groups;
    System.arraycopy(sizes, 2, split, 3, sizes.length - 2);
    return Ops.reshape(Ops.transpose(Ops.reshape(self, split), 1, 2), sizes);
  }

  static Tensor diff(Tensor self, long n, long dim, Tensor prepend, Tensor append) {
    int dims = self.shape().dims();
    if (dims == 0 || n < 0) {
      throw new IllegalArgumentException(
          "diff: needs a dim and n of 0 or more, but has shape=" + self.shape() + " and n=" + n);
    }
    if (n == 0) {
      return Ops.clone(self);
    }
    int d = TensorAccess.wrap(dim, dims, "diff of " + self.shape());
    for (Tensor more : new Tensor[] {prepend, append}) {
      if (more != null && more.shape().dims() != dims) {
        throw new IllegalArgumentException(
            "diff: prepend and append must have the dims of " + self.shape());
      }
    }
    List<Tensor> all =
        java.util.stream.Stream.of(prepend, self, append)
            .filter(java.util.Objects::nonNull)
            .toList();
    Tensor out = all.size() == 1 ? self : Ops.cat(all, d);
    long times = Math.min(n, out.shape().size(d));
    for (long i = 0; i < times; i++) {
      long size = out.shape().size(d);
      Tensor later = Ops.slice(out, d, Math.min(1, size), size, 1);
      Tensor earlier = Ops.slice(out, d, 0, Math.max(0, size - 1), 1);
      out = out.dtype() == DType.BOOL ? Ops.logicalXor(later, earlier) : Ops.sub(later, earlier);
    }
    return out;
  }

  // ---- places and kinds

  static Tensor argwhere(Tensor self) {
    return Ops.nonzero(self);
  }

  static List<Tensor> nonzeroNumpy(Tensor self) {
    Tensor places = Ops.nonzero(StackOps.atleast1d(self));
    return Ops.unbind(places, 1);
  }

  static Tensor msort(Tensor self) {
    return Ops.sort(self, false, 0, false)[0];
  }

  static Tensor typeAs(Tensor self, Tensor other) {
    boolean same = self.dtype() == other.dtype() && self.device().equals(other.device());
    return same ? self : Ops.toCopy(self, other.dtype(), other.device());
  }

  static boolean isSameSize(Tensor self, Tensor other) {
    return self.shape().equals(other.shape());
  }
}
