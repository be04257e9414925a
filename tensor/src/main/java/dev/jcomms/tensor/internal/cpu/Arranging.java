package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;

/** The same elements in another order or next to others: cat, flip, roll, tril, triu. */
public final class Arranging {
  private Arranging() {}

  /**
   * Of a dtype that the caller has promoted to. Empty vectors are passed over, whatever the dim.
   */
  public static Tensor cat(List<Tensor> tensors, long dim, DType dtype) {
    check(!tensors.isEmpty(), "cat: there must be a tensor");
    Tensor model = null;
    for (int i = 0; i < tensors.size(); i++) {
      Tensor t = tensors.get(i);
      check(t.shape().dims() > 0, "cat: the tensor at position " + i + " is 0-d");
      if (model == null && !skipped(t)) {
        model = t;
      }
    }
    if (model == null) {
      return Tensor.empty(dtype, Shape.of(0));
    }
    int d = Refusals.dim("cat", dim, model.shape().dims());
    long[] sizes = model.shape().toArray();
    sizes[d] = 0;
    for (int i = 0; i < tensors.size(); i++) {
      Tensor t = tensors.get(i);
      if (!skipped(t)) {
        long[] others = t.shape().toArray();
        boolean fits = others.length == sizes.length;
        long along = fits ? others[d] : 0;
        if (fits) {
          others[d] = sizes[d];
        }
        check(
            fits && Arrays.equals(others, sizes),
            "cat: sizes must match except along dim="
                + d
                + ", but tensor "
                + i
                + " has shape="
                + t.shape()
                + " and the first "
                + model.shape());
        sizes[d] += along;
      }
    }
    Tensor out = Tensor.empty(dtype, Shape.of(sizes));
    long at = 0;
    for (Tensor t : tensors) {
      if (!skipped(t)) {
        out.narrow(d, at, t.shape().size(d)).copyFrom(t);
        at += t.shape().size(d);
      }
    }
    return out;
  }

  private static boolean skipped(Tensor t) {
    return t.shape().dims() == 1 && t.elements() == 0;
  }

  public static Tensor flip(Tensor self, long[] dims) {
    Tensor from = Dense.settled(self);
    long[] sizes = from.shape().toArray();
    long[] strides = from.strides();
    long at = Dense.address(from);
    boolean[] seen = new boolean[Math.max(1, sizes.length)];
    for (long dim : dims) {
      int d = Refusals.dim("flip", dim, sizes.length);
      check(!seen[d], "flip: dim=" + d + " is named twice in " + Arrays.toString(dims));
      seen[d] = true;
      if (sizes.length > 0) {
        at += Math.max(0, sizes[d] - 1) * strides[d] * from.dtype().bytes();
        strides[d] = -strides[d];
      }
    }
    Tensor out = Tensor.empty(from.dtype(), from.shape());
    Strided.copy(sizes, at, strides, Dense.address(out), out.strides(), from.dtype().bytes());
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(out);
    return out;
  }

  public static Tensor roll(Tensor self, long[] shifts, long[] dims) {
    check(shifts.length > 0, "roll: there must be a shift");
    if (dims.length == 0 && shifts.length == 1) {
      return roll(Dense.of(self).view(-1), shifts, new long[] {0}).view(self.shape());
    }
    check(
        dims.length == shifts.length,
        "roll: there are " + shifts.length + " shifts for " + dims.length + " dims");
    if (self.elements() == 0 && dims.length == 1) {
      return self.copy(); // whatever the dim
    }
    Tensor now = self;
    for (int i = 0; i < dims.length; i++) {
      int d = Refusals.dim("roll", dims[i], self.shape().dims());
      if (self.elements() == 0) {
        return self.copy();
      }
      long size = now.shape().size(d);
      long shift = Math.floorMod(shifts[i], size);
      Tensor out = Tensor.empty(now.dtype(), now.shape());
      out.narrow(d, shift, size - shift).copyFrom(now.narrow(d, 0, size - shift));
      out.narrow(d, 0, shift).copyFrom(now.narrow(d, size - shift, shift));
      now = out;
    }
    return now;
  }

  public static Tensor tril(Tensor self, long diagonal) {
    return triangle("tril", self, diagonal, true);
  }

  public static Tensor triu(Tensor self, long diagonal) {
    return triangle("triu", self, diagonal, false);
  }

  public static Tensor trilInPlace(Tensor self, long diagonal) {
    return triangleInPlace("tril", self, diagonal, true);
  }

  public static Tensor triuInPlace(Tensor self, long diagonal) {
    return triangleInPlace("triu", self, diagonal, false);
  }

  /** Where elements share a place, a zero for one is a zero for all. */
  private static Tensor triangleInPlace(String op, Tensor self, long diagonal, boolean lower) {
    requireMatrices(op, self);
    if (!Strided.sharesElements(self)) {
      return self.copyFrom(triangle(op, self, diagonal, lower));
    }
    long rows = self.shape().size(-2);
    long columns = self.shape().size(-1);
    long within = Math.clamp(diagonal, -rows, columns); // none is farther out
    for (long i = 0; i < self.elements(); i++) {
      long distance = i % columns - i / columns % rows - within;
      if (lower ? distance > 0 : distance < 0) {
        Deposit.ASSIGN.neutral(self.dtype(), Strided.place(self, i));
      }
    }
    Reference.reachabilityFence(self);
    return self;
  }

  private static void requireMatrices(String op, Tensor self) {
    check(
        self.shape().dims() >= 2,
        op + ": needs matrices, but shape=" + self.shape() + " has fewer than 2 dims");
  }

  private static Tensor triangle(String op, Tensor self, long diagonal, boolean lower) {
    requireMatrices(op, self);
    Tensor from = Dense.of(self);
    Tensor out = Tensor.zeros(self.dtype(), self.shape());
    long rows = self.shape().size(-2);
    long columns = self.shape().size(-1);
    long within = Math.clamp(diagonal, -rows, columns); // none is farther out
    int bytes = self.dtype().bytes();
    long lines = columns == 0 ? 0 : self.elements() / columns;
    for (long line = 0; line < lines; line++) {
      long edge = line % rows + within; // the column of the diagonal
      long first = lower ? 0 : Math.clamp(edge, 0, columns);
      long last = lower ? Math.clamp(edge + 1, 0, columns) : columns;
      long at = (line * columns + first) * bytes;
      Strided.copy(Dense.address(from) + at, Dense.address(out) + at, (last - first) * bytes);
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(out);
    return out;
  }
}
