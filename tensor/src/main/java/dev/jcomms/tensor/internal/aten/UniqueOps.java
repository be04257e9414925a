package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.cpu.Running;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.List;

/** Which values there are, how many of each, and where a value belongs. */
final class UniqueOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private UniqueOps() {}

  static void define(Definitions d) {
    d.op(
            "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool"
                + " return_counts=False) -> (Tensor, Tensor, Tensor)")
        .everywhere(LOOKUP, "unique2")
        .outAs(
            "_unique2.out(Tensor self, bool sorted=True, bool return_inverse=False, bool"
                + " return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) ->"
                + " (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor,"
                + " Tensor)")
        .everywhere(LOOKUP, "unique")
        .outAs(
            "_unique.out(Tensor self, bool sorted=True, bool return_inverse=False, *, Tensor(a!)"
                + " out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
    d.op(
            "unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool"
                + " return_counts=False) -> (Tensor, Tensor, Tensor)")
        .everywhere(LOOKUP, "uniqueDim")
        .outAs(
            "unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool"
                + " return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) ->"
                + " (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "unique_consecutive(Tensor self, bool return_inverse=False, bool"
                + " return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)")
        .everywhere(LOOKUP, "uniqueConsecutive")
        .outAs(
            "unique_consecutive.out(Tensor self, bool return_inverse=False, bool"
                + " return_counts=False, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1,"
                + " Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False,"
                + " bool right=False, str? side=None, Tensor? sorter=None) -> Tensor")
        .cpu(LOOKUP, "searchsorted")
        .exactOut("Tensor_out");
    d.op(
            "searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False,"
                + " bool right=False, str? side=None, Tensor? sorter=None) -> Tensor")
        .everywhere(LOOKUP, "searchsortedScalar")
        .exactOut("Scalar_out");
    d.op(
            "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool"
                + " right=False) -> Tensor")
        .everywhere(LOOKUP, "bucketize")
        .exactOut("Tensor_out");
    d.op(
            "bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool"
                + " right=False) -> Tensor")
        .everywhere(LOOKUP, "bucketizeScalar")
        .exactOut("Scalar_out");
    d.op(
            "isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool"
                + " assume_unique=False, bool invert=False) -> Tensor")
        .everywhere(LOOKUP, "isin")
        .exactOut("Tensor_Tensor_out");
    d.op(
            "isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool"
                + " assume_unique=False, bool invert=False) -> Tensor")
        .everywhere(LOOKUP, "isinScalar")
        .exactOut("Tensor_Scalar_out");
    d.op(
            "isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool"
                + " assume_unique=False, bool invert=False) -> Tensor")
        .everywhere(LOOKUP, "scalarIsin")
        .exactOut("Scalar_Tensor_out");
    d.op("histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor")
        .everywhere(LOOKUP, "histc")
        .exactOut("out");
  }

  static Tensor[] unique2(Tensor self, boolean sorted, boolean inverse, boolean counts) {
    Tensor line = Ops.reshape(self, -1);
    Tensor[] order = Ops.sort(line, true, 0, false);
    Tensor[] found = runs(order[0], counts, differs(order[0]));
    Tensor where = none(self);
    if (inverse) {
      Tensor places = Ops.zeros(new long[] {line.elements()}, DType.I64, self.device());
      where = Ops.view(Ops.scatter(places, 0, order[1], found[1]), self.shape().toArray());
    }
    return new Tensor[] {found[0], where, found[2]};
  }

  static Tensor[] unique(Tensor self, boolean sorted, boolean inverse) {
    Tensor[] all = unique2(self, sorted, inverse, false);
    return new Tensor[] {all[0], all[1]};
  }

  static Tensor[] uniqueConsecutive(Tensor self, boolean inverse, boolean counts, Long dim) {
    if (dim != null && self.shape().dims() != 1) {
      return rows("unique_consecutive", self, dim, false, inverse, counts);
    }
    Tensor line = Ops.reshape(self, -1);
    Tensor[] found = runs(line, counts, differs(line));
    Tensor where = inverse ? Ops.view(found[1], self.shape().toArray()) : none(self);
    return new Tensor[] {found[0], where, found[2]};
  }

  static Tensor[] uniqueDim(
      Tensor self, long dim, boolean sorted, boolean inverse, boolean counts) {
    return rows("unique_dim", self, dim, true, true, true);
  }

  /** Slices along a dim, compared as a whole; sorted by their first element that differs. */
  private static Tensor[] rows(
      String op, Tensor self, long dim, boolean sorted, boolean inverse, boolean counts) {
    int d = TensorAccess.wrap(dim, self.shape().dims(), op + " of " + self.shape());
    Tensor first = Ops.movedim(self, new long[] {d}, new long[] {0});
    long n = first.shape().size(0);
    if (self.elements() == 0 && n > 0) {
      throw new IllegalArgumentException(
          op + ": slices of shape=" + self.shape() + " along dim=" + d + " are empty");
    }
    Tensor table = Ops.reshape(first, n, n == 0 ? 1 : self.elements() / n);
    Tensor order = Tensor.arange(n).to(self.device());
    if (sorted) { // by the last column first: each sort keeps what the ones before it decided
      for (long column = table.shape().size(1) - 1; column >= 0; column--) {
        Tensor keys = Ops.indexSelect(Ops.select(table, 1, column), 0, order);
        order = Ops.indexSelect(order, 0, Ops.sort(keys, true, 0, false)[1]);
      }
    }
    Tensor lines = Ops.indexSelect(table, 0, order);
    Tensor changes =
        Ops.any(
            Ops.ne(
                Ops.slice(lines, 0, Math.min(1, n), n, 1),
                Ops.slice(lines, 0, 0, Math.max(0, n - 1), 1)),
            1,
            false);
    Tensor[] found = runs(order, counts, changes);
    Tensor values =
        Ops.movedim(Ops.indexSelect(first, 0, found[0]), new long[] {0}, new long[] {d});
    Tensor where = none(self);
    if (inverse) {
      Tensor places = Ops.zeros(new long[] {n}, DType.I64, self.device());
      where = Ops.scatter(places, 0, order, found[1]);
    }
    return new Tensor[] {values, where, found[2]};
  }

  private static Tensor none(Tensor near) {
    return Ops.empty(DType.I64, new long[] {0}, near.device());
  }

  private static Tensor differs(Tensor line) {
    long n = line.elements();
    return Ops.ne(
        Ops.slice(line, 0, Math.min(1, n), n, 1), Ops.slice(line, 0, 0, Math.max(0, n - 1), 1));
  }

  /** The first of each run, the run that each belongs to, and, if wanted, their lengths. */
  private static Tensor[] runs(Tensor line, boolean counts, Tensor changes) {
    long n = line.shape().size(0);
    if (n == 0) {
      return new Tensor[] {Ops.clone(line), none(line), none(line)};
    }
    Tensor one = Ops.fill_(Ops.empty(DType.BOOL, new long[] {1}, line.device()), Scalar.ONE);
    Tensor starts = Ops.cat(List.of(one, changes), 0);
    Tensor group = Ops.add(Ops.cumsum(starts, 0), Scalar.of(-1));
    Tensor lengths = none(line);
    if (counts) {
      Tensor at = Ops.squeeze(Ops.nonzero(starts), 1);
      Tensor end = Ops.fill_(Ops.empty(DType.I64, new long[] {1}, line.device()), Scalar.of(n));
      lengths = RepeatOps.diff(at, 1, 0, null, end);
    }
    return new Tensor[] {Ops.maskedSelect(line, starts), group, lengths};
  }

  // ---- where values belong

  static Tensor searchsorted(
      Tensor sorted, Tensor self, boolean int32, boolean right, String side, Tensor sorter) {
    if (side != null && !side.equals("left") && !side.equals("right")
        || side != null && right && side.equals("left")) {
      throw new IllegalArgumentException(
          "searchsorted: side='" + side + "' is not for right=" + right);
    }
    Shape lines = sorted.shape();
    Shape shape = self.shape();
    boolean fits = lines.dims() <= 1 || lines.dims() == shape.dims();
    for (int d = 0; fits && lines.dims() > 1 && d < lines.dims() - 1; d++) {
      fits = lines.size(d) == shape.size(d);
    }
    DType dtype = Promotion.promote(sorted.dtype(), self.dtype());
    if (!fits || lines.dims() == 0 || dtype == DType.BOOL) {
      throw new IllegalArgumentException(
          "searchsorted: values of "
              + self.dtype()
              + shape
              + " do not go with sorted ones of "
              + sorted.dtype()
              + lines);
    }
    if (sorter != null && (sorter.dtype() != DType.I64 || !sorter.shape().equals(lines))) {
      throw new IllegalArgumentException(
          "searchsorted: sorter must be i64 of shape="
              + lines
              + ", but is "
              + sorter.dtype()
              + sorter.shape());
    }
    Tensor ordered = sorter == null ? sorted : Ops.gather(sorted, -1, sorter);
    Tensor out =
        Running.searchsorted(
            same(ordered, dtype), same(self, dtype), right || "right".equals(side));
    return int32 ? Ops.toCopy(out, DType.I32, null) : out;
  }

  static Tensor searchsortedScalar(
      Tensor sorted, Scalar self, boolean int32, boolean right, String side, Tensor sorter) {
    if (sorted.shape().dims() != 1) {
      throw new IllegalArgumentException(
          "searchsorted: a number is sought in a line, but shape=" + sorted.shape());
    }
    return Ops.searchsorted(sorted, beside(sorted, self), int32, right, side, sorter);
  }

  private static Tensor beside(Tensor sorted, Scalar value) {
    return ScalarTensors.of(
        value, Promotion.promote(sorted.dtype(), Promotion.natural(value)), sorted.device());
  }

  static Tensor bucketize(Tensor self, Tensor boundaries, boolean int32, boolean right) {
    if (boundaries.shape().dims() != 1) {
      throw new IllegalArgumentException(
          "bucketize: boundaries must be a line, but have shape=" + boundaries.shape());
    }
    return Ops.searchsorted(boundaries, self, int32, right, null, null);
  }

  static Tensor bucketizeScalar(Scalar self, Tensor boundaries, boolean int32, boolean right) {
    return bucketize(beside(boundaries, self), boundaries, int32, right);
  }

  static Tensor isin(Tensor elements, Tensor test, boolean unique, boolean invert) {
    if (elements.dtype() == DType.BOOL || test.dtype() == DType.BOOL) {
      throw new IllegalArgumentException("\"isin\" is not implemented for bool");
    }
    DType dtype = Promotion.of(elements, test);
    Tensor line = Ops.reshape(same(test, dtype), -1);
    Tensor sought = same(elements, dtype);
    Tensor found;
    if (line.elements() == 0) {
      found = Ops.zeros(elements.shape().toArray(), DType.BOOL, elements.device());
    } else {
      Tensor sorted = Ops.sort(line, false, 0, false)[0];
      Tensor at = Ops.searchsorted(sorted, sought, false, false, null, null);
      Tensor inside = Ops.clampMax(at, Scalar.of(line.elements() - 1));
      Tensor there = Ops.indexSelect(sorted, 0, Ops.reshape(inside, -1));
      found = Ops.eq(Ops.reshape(there, elements.shape().toArray()), sought);
    }
    return invert ? Ops.logicalNot(found) : found;
  }

  private static Tensor same(Tensor t, DType dtype) {
    return t.dtype() == dtype ? t : Ops.toCopy(t, dtype, null);
  }

  static Tensor isinScalar(Tensor elements, Scalar test, boolean unique, boolean invert) {
    return isin(elements, ScalarTensors.beside(elements, test), unique, invert);
  }

  static Tensor scalarIsin(Scalar element, Tensor test, boolean unique, boolean invert) {
    return isin(ScalarTensors.beside(test, element), test, unique, invert);
  }

  static Tensor histc(Tensor self, long bins, Scalar min, Scalar max) {
    if (bins <= 0 || !self.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "histc: needs floats and bins above 0, but has " + self.dtype() + " and bins=" + bins);
    }
    double low = min.toDouble();
    double high = max.toDouble();
    Tensor line = Ops.reshape(self, -1);
    if (low == high && self.elements() > 0) {
      low = Ops.localScalarDense(Ops.min(self)).toDouble();
      high = Ops.localScalarDense(Ops.max(self)).toDouble();
    }
    if (low == high) {
      low -= 1;
      high += 1;
    }
    if (!Double.isFinite(low) || !Double.isFinite(high) || low > high) {
      throw new IllegalArgumentException(
          "histc: range from " + low + " to " + high + " is not finite, or empty");
    }
    Tensor within = Ops.logicalAnd(Ops.ge(line, Scalar.of(low)), Ops.le(line, Scalar.of(high)));
    Tensor kept = Ops.toCopy(Ops.maskedSelect(line, within), DType.F64, null);
    Tensor share = Ops.div(Ops.add(kept, Scalar.of(-low)), Scalar.of((high - low) / bins));
    Tensor bin = Ops.toCopy(Ops.clampMax(Ops.floor(share), Scalar.of(bins - 1)), DType.I64, null);
    return Ops.toCopy(Ops.bincount(bin, null, bins), self.dtype(), null);
  }
}
