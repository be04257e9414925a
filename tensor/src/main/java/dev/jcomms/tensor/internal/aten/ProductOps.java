package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.List;

/**
 * Products made of other products: chains, powers, cross and Kronecker's; covariance; integrals.
 */
final class ProductOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ProductOps() {}

  static void define(Definitions d) {
    d.op("linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor")
        .composite(LOOKUP, "linalgCross")
        .exactOut("out");
    d.op("cross(Tensor self, Tensor other, int? dim=None) -> Tensor")
        .composite(LOOKUP, "cross")
        .exactOut("out");
    d.op("kron(Tensor self, Tensor other) -> Tensor").composite(LOOKUP, "kron").out("out");
    d.op("chain_matmul(Tensor[] matrices) -> Tensor").composite(LOOKUP, "chain").exactOut("out");
    d.op("linalg_multi_dot(Tensor[] tensors) -> Tensor")
        .composite(LOOKUP, "multiDot")
        .exactOut("out");
    d.op("linalg_matmul(Tensor self, Tensor other) -> Tensor")
        .composite(LOOKUP, "matmul")
        .exactOut("out");
    d.op("linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor")
        .composite(LOOKUP, "vecdot")
        .exactOut("out");
    d.op("linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)")
        .composite(LOOKUP, "diagonal");
    d.op(
            "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)"
                + " -> Tensor")
        .composite(LOOKUP, "addbmm")
        .exactOut("out");
    d.op("bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor")
        .composite(LOOKUP, "bilinear");
    d.op("linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor").composite(LOOKUP, "vander");
    d.op(
            "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None)"
                + " -> Tensor")
        .composite(LOOKUP, "cov");
    d.op("corrcoef(Tensor self) -> Tensor").composite(LOOKUP, "corrcoef");
    d.op("trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor")
        .composite(LOOKUP, "trapezoidX");
    d.op("trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor")
        .composite(LOOKUP, "trapezoidDx");
    d.op("trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor").composite(LOOKUP, "trapezoidX");
    d.op("trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor").composite(LOOKUP, "trapzDx");
    d.op("cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor")
        .composite(LOOKUP, "cumulativeX");
    d.op("cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor")
        .composite(LOOKUP, "cumulativeDx");
  }

  static Tensor linalgCross(Tensor self, Tensor other, long dim) {
    int dims = self.shape().dims();
    if (dims != other.shape().dims()) {
      throw new IllegalArgumentException(
          "linalg_cross: shapes " + self.shape() + " and " + other.shape() + " differ in dims");
    }
    int d = TensorAccess.wrap(dim, dims, "linalg_cross of " + self.shape());
    if (dims == 0 || self.shape().size(d) != 3 || other.shape().size(d) != 3) {
      throw new IllegalArgumentException(
          "linalg_cross: dim="
              + d
              + " of "
              + self.shape()
              + " and "
              + other.shape()
              + " must be of size 3");
    }
    long[] at = {d};
    long[] up = {1};
    long[] down = {-1};
    Tensor first = Ops.mul(Ops.roll(self, down, at), Ops.roll(other, up, at));
    return Ops.sub(first, Ops.mul(Ops.roll(self, up, at), Ops.roll(other, down, at)));
  }

  static Tensor cross(Tensor self, Tensor other, Long dim) {
    if (dim != null) {
      return linalgCross(self, other, dim);
    }
    for (int d = 0; d < self.shape().dims(); d++) {
      if (self.shape().size(d) == 3) {
        return linalgCross(self, other, d);
      }
    }
    throw new IllegalArgumentException("cross: no dim of " + self.shape() + " is of size 3");
  }

  static Tensor kron(Tensor self, Tensor other) {
    int dims = Math.max(self.shape().dims(), other.shape().dims());
    long[] left = new long[2 * dims];
    long[] right = new long[2 * dims];
    long[] sizes = new long[dims];
    for (int d = 0; d < dims; d++) {
      int mine = d - (dims - self.shape().dims());
      int theirs = d - (dims - other.shape().dims());
      left[2 * d] = mine < 0 ? 1 : self.shape().size(mine);
      left[2 * d + 1] = 1;
      right[2 * d] = 1;
      right[2 * d + 1] = theirs < 0 ? 1 : other.shape().size(theirs);
      sizes[d] = left[2 * d] * right[2 * d + 1];
    }
    return Ops.reshape(Ops.mul(Ops.reshape(self, left), Ops.reshape(other, right)), sizes);
  }

  // ---- several matrices

  static Tensor chain(List<Tensor> matrices) {
    for (Tensor t : matrices) {
      if (t.shape().dims() != 2) {
        throw new IllegalArgumentException(
            "chain_matmul: needs matrices, but one has shape=" + t.shape());
      }
    }
    if (matrices.isEmpty()) {
      throw new IllegalArgumentException("chain_matmul: there must be a matrix");
    }
    return matrices.size() == 1 ? Ops.clone(matrices.getFirst()) : multiDot(matrices);
  }

  /** In the order of the fewest multiplications; the first and last may be vectors. */
  static Tensor multiDot(List<Tensor> tensors) {
    int n = tensors.size();
    if (n < 2) {
      throw new IllegalArgumentException("linalg_multi_dot: needs two tensors or more, not " + n);
    }
    Tensor[] factors = tensors.toArray(Tensor[]::new);
    boolean row = factors[0].shape().dims() == 1;
    boolean column = factors[n - 1].shape().dims() == 1;
    factors[0] = row ? Ops.unsqueeze(factors[0], 0) : factors[0];
    factors[n - 1] = column ? Ops.unsqueeze(factors[n - 1], 1) : factors[n - 1];
    long[] sizes = new long[n + 1];
    for (int i = 0; i < n; i++) {
      if (factors[i].shape().dims() != 2
          || i > 0 && factors[i].shape().size(0) != sizes[i]
          || factors[i].dtype() != factors[0].dtype()) {
        throw new IllegalArgumentException(
            "linalg_multi_dot: "
                + factors[i].dtype()
                + factors[i].shape()
                + " is not a matrix that goes with those before");
      }
      sizes[i] = factors[i].shape().size(0);
      sizes[i + 1] = factors[i].shape().size(1);
    }
    Tensor out = multiplied(factors, 0, n - 1, splits(sizes));
    out = row ? Ops.squeeze(out, 0) : out;
    return column ? Ops.squeeze(out, -1) : out;
  }

  private static Tensor multiplied(Tensor[] factors, int from, int to, int[][] split) {
    return from == to
        ? factors[from]
        : Ops.mm(
            multiplied(factors, from, split[from][to], split),
            multiplied(factors, split[from][to] + 1, to, split));
  }

  private static int[][] splits(long[] sizes) {
    int n = sizes.length - 1;
    double[][] cost = new double[n][n];
    int[][] split = new int[n][n];
    for (int length = 1; length < n; length++) {
      for (int i = 0; i + length < n; i++) {
        int j = i + length;
        cost[i][j] = Double.POSITIVE_INFINITY;
        for (int k = i; k < j; k++) {
          double here =
              cost[i][k] + cost[k + 1][j] + (double) sizes[i] * sizes[k + 1] * sizes[j + 1];
          if (here < cost[i][j]) {
            cost[i][j] = here;
            split[i][j] = k;
          }
        }
      }
    }
    return split;
  }

  static Tensor matmul(Tensor self, Tensor other) {
    return Ops.matmul(self, other);
  }

  static Tensor vecdot(Tensor x, Tensor y, long dim) {
    if (!Promotion.of(x, y).isFloating()) {
      throw new IllegalArgumentException(
          "linalg_vecdot: needs floats, but has " + x.dtype() + " and " + y.dtype());
    }
    if (x.dtype() != y.dtype()) {
      throw new IllegalArgumentException(
          "linalg_vecdot: needs one dtype, but has " + x.dtype() + " and " + y.dtype());
    }
    return Ops.sum(Ops.mul(x, y), dim);
  }

  static Tensor diagonal(Tensor a, long offset, long dim1, long dim2) {
    return Ops.diagonal(a, offset, dim1, dim2);
  }

  static Tensor addbmm(Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha) {
    if (batch1.shape().dims() != 3 || batch2.shape().dims() != 3) {
      throw new IllegalArgumentException(
          "addbmm: needs two batches of matrices, but shapes are "
              + batch1.shape()
              + " and "
              + batch2.shape());
    }
    long batches = batch1.shape().size(0);
    long inner = batch1.shape().size(2);
    if (batch2.shape().size(0) != batches || batch2.shape().size(1) != inner) {
      throw new IllegalArgumentException(
          "addbmm: shapes " + batch1.shape() + " and " + batch2.shape() + " cannot be multiplied");
    }
    long[] sizes = {batch1.shape().size(1), batch2.shape().size(2)};
    Tensor sum = Ops.expand(self, sizes);
    for (long i = 0; i < batches; i++) {
      Tensor left = Ops.select(batch1, 0, i);
      sum = Ops.addmm(sum, left, Ops.select(batch2, 0, i), i == 0 ? beta : Scalar.ONE, alpha);
    }
    return batches > 0 ? sum : Ops.mul(sum, beta);
  }

  static Tensor bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor bias) {
    if (weight.shape().dims() != 3
        || input1.shape().dims() != input2.shape().dims()
        || input1.shape().dims() == 0
        || input1.shape().size(-1) != weight.shape().size(1)
        || input2.shape().size(-1) != weight.shape().size(2)) {
      throw new IllegalArgumentException(
          "bilinear: weight of shape="
              + weight.shape()
              + " does not go with inputs of "
              + input1.shape()
              + " and "
              + input2.shape());
    }
    if (bias != null && (bias.shape().dims() != 1 || bias.elements() != weight.shape().size(0))) {
      throw new IllegalArgumentException(
          "bilinear: bias of shape=" + bias.shape() + " does not go with weight " + weight.shape());
    }
    Tensor out = EinsumOps.einsum("...i,kij,...j->...k", List.of(input1, weight, input2), null);
    return bias == null ? out : Ops.add(out, bias);
  }

  static Tensor vander(Tensor x, Long n) {
    int dims = x.shape().dims();
    long count = n == null ? (dims == 0 ? 1 : x.shape().size(-1)) : n;
    if (dims == 0 || count < 2 || x.dtype() == DType.BOOL) {
      throw new IllegalArgumentException(
          "linalg_vander: needs a dim, and at least 2 powers, but has "
              + x.dtype()
              + x.shape()
              + " and N="
              + count);
    }
    long[] wide = Arrays.copyOf(x.shape().toArray(), dims + 1);
    wide[dims] = count - 1;
    DType dtype = x.dtype().isFloating() ? x.dtype() : DType.I64;
    Tensor base = x.dtype() == dtype ? x : Ops.toCopy(x, dtype, null);
    Tensor powers = Ops.cumprod(Ops.expand(Ops.unsqueeze(base, -1), wide), -1);
    wide[dims] = 1;
    Tensor ones = Ops.fill_(Ops.empty(dtype, wide, x.device()), Scalar.ONE);
    return Ops.cat(List.of(ones, powers), -1);
  }

  // ---- covariance

  static Tensor cov(Tensor self, long correction, Tensor fweights, Tensor aweights) {
    if (self.shape().dims() > 2 || self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException(
          "cov: needs at most two dims of numbers, but has " + self.dtype() + self.shape());
    }
    Tensor rows = StackOps.atleast2d(self);
    Tensor x = rows.dtype().isFloating() ? rows : Ops.toCopy(rows, DType.F32, null);
    long count = x.shape().size(1);
    requireWeights("fweights", fweights, count, false);
    requireWeights("aweights", aweights, count, true);
    Tensor weights =
        fweights == null ? aweights : aweights == null ? fweights : Ops.mul(fweights, aweights);
    Tensor mean;
    Tensor norm;
    if (weights == null) {
      mean = Ops.mean(x, new long[] {1}, true, null);
      norm = ScalarTensors.of(Scalar.of((double) count - correction), x.dtype(), x.device());
    } else {
      Tensor w = Ops.toCopy(weights, x.dtype(), null);
      Tensor total = Ops.sum(w);
      mean = Ops.div(Ops.sum(Ops.mul(x, w), new long[] {1}, true, null), total);
      Tensor used =
          aweights == null
              ? ScalarTensors.of(Scalar.of((double) correction), x.dtype(), x.device())
              : Ops.mul(
                  Ops.div(Ops.sum(Ops.mul(w, aweights)), total), Scalar.of((double) correction));
      norm = Ops.sub(total, used);
    }
    Tensor off = Ops.sub(x, mean);
    Tensor other = weights == null ? off : Ops.mul(off, weights);
    Tensor product =
        Ops.mm(off, Ops.t(other.dtype() == x.dtype() ? other : Ops.toCopy(other, x.dtype(), null)));
    Tensor out = Ops.div(product, Ops.clampMin(norm, Scalar.ZERO));
    return self.shape().dims() < 2 ? Ops.reshape(out) : out;
  }

  private static void requireWeights(String name, Tensor weights, long count, boolean floating) {
    if (weights != null
        && (weights.shape().dims() > 1
            || weights.elements() != count
            || weights.dtype().isFloating() != floating)) {
      throw new IllegalArgumentException(
          "cov: "
              + name
              + " must be a line of "
              + count
              + (floating ? " floats" : " whole numbers")
              + ", but is "
              + weights.dtype()
              + weights.shape());
    }
  }

  static Tensor corrcoef(Tensor self) {
    Tensor c = cov(self, 1, null, null);
    if (c.shape().dims() == 0) {
      return Ops.div(c, c);
    }
    Tensor deviation = Ops.sqrt(Ops.diagonal(c, 0, 0, 1));
    Tensor out = Ops.div(Ops.div(c, Ops.unsqueeze(deviation, 1)), Ops.unsqueeze(deviation, 0));
    return Ops.clamp(out, Scalar.of(-1), Scalar.ONE);
  }

  // ---- integrals

  static Tensor trapezoidX(Tensor y, Tensor x, long dim) {
    int d = TensorAccess.wrap(dim, Math.max(1, y.shape().dims()), "trapezoid of " + y.shape());
    if (y.shape().dims() == 0 || y.shape().size(d) == 0) {
      return emptied(y, d);
    }
    return Ops.sum(areas("trapezoid", y, x, d), d);
  }

  static Tensor trapezoidDx(Tensor y, Scalar dx, long dim) {
    int d = TensorAccess.wrap(dim, Math.max(1, y.shape().dims()), "trapezoid of " + y.shape());
    if (y.shape().dims() == 0 || y.shape().size(d) == 0) {
      return emptied(y, d);
    }
    return Ops.mul(Ops.sum(heights(y, d), d), Scalar.of(dx.toDouble() / 2));
  }

  static Tensor trapzDx(Tensor y, double dx, long dim) {
    return trapezoidDx(y, Scalar.of(dx), dim);
  }

  static Tensor cumulativeX(Tensor y, Tensor x, long dim) {
    int d = TensorAccess.wrap(dim, Math.max(1, y.shape().dims()), "cumulative_trapezoid");
    return Ops.cumsum(areas("cumulative_trapezoid", y, x, d), d);
  }

  static Tensor cumulativeDx(Tensor y, Scalar dx, long dim) {
    int d = TensorAccess.wrap(dim, Math.max(1, y.shape().dims()), "cumulative_trapezoid");
    return Ops.mul(Ops.cumsum(heights(y, d), d), Scalar.of(dx.toDouble() / 2));
  }

  private static Tensor emptied(Tensor y, int dim) {
    long[] sizes = y.shape().toArray();
    long[] left = new long[Math.max(0, sizes.length - 1)];
    for (int d = 0, at = 0; d < sizes.length; d++) {
      if (d != dim) {
        left[at++] = sizes[d];
      }
    }
    return Ops.zeros(left, y.dtype(), y.device());
  }

  private static Tensor heights(Tensor y, int dim) {
    long size = y.shape().size(dim);
    return Ops.add(
        Ops.slice(y, dim, Math.min(1, size), size, 1),
        Ops.slice(y, dim, 0, Math.max(0, size - 1), 1));
  }

  private static Tensor areas(String op, Tensor y, Tensor x, int dim) {
    int dims = y.shape().dims();
    Tensor at = x;
    if (x.shape().dims() == 1 && dims > 1) {
      if (x.elements() != y.shape().size(dim)) {
        throw new IllegalArgumentException(
            op + ": x of shape=" + x.shape() + " does not go with dim=" + dim + " of " + y.shape());
      }
      long[] sizes = new long[dims];
      Arrays.fill(sizes, 1);
      sizes[dim] = x.elements();
      at = Ops.reshape(x, sizes);
    }
    int mine = dim - (dims - at.shape().dims());
    if (mine < 0) {
      throw new IllegalArgumentException(
          op + ": x of shape=" + x.shape() + " has no dim=" + dim + " of " + y.shape());
    }
    Tensor widths = RepeatOps.diff(at, 1, mine, null, null);
    return Ops.div(Ops.mul(widths, heights(y, dim)), Scalar.of(2.0));
  }
}
