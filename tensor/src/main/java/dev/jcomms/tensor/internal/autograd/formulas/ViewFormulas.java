package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.autograd.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Views: the gradient is seen the other way round, or laid into zeros. */
final class ViewFormulas {
  private ViewFormulas() {}

  static void into(Book book) {
    book.none("detach");
    book.self("alias", Derivative.Context::grad);
    book.self("view", c -> Call.reshape(c.grad(), c.shape("self")));
    book.self("_unsafe_view", c -> Call.reshape(c.grad(), c.shape("self")));
    book.self("expand", Derivative.Context::grad); // what was broadcast is summed by the engine
    book.self("transpose.int", c -> Call.transpose(c.grad(), c.integer("dim0"), c.integer("dim1")));
    book.self("t", c -> Call.t(c.grad()));
    book.self("permute", c -> Call.of("permute", c.grad(), inverse(c.integers("dims"))));
    book.self("unsqueeze", c -> Call.reshape(c.grad(), c.shape("self")));
    for (String squeeze : List.of("squeeze", "squeeze.dim", "squeeze.dims")) {
      book.self(squeeze, c -> Call.reshape(c.grad(), c.shape("self")));
    }
    book.self(
        "select.int",
        c ->
            Call.of(
                "select_backward",
                c.grad(),
                c.shape("self").toArray(),
                c.integer("dim"),
                c.integer("index")));
    book.add(
        "select_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> Call.of("select.int", c.grad(), c.integer("dim"), c.integer("index"))));
    book.self("slice.Tensor", ViewFormulas::slice);
    book.add(
        "slice_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    Call.of(
                        "slice.Tensor",
                        c.grad(),
                        c.integer("dim"),
                        c.integer("start"),
                        c.integer("end"),
                        c.integer("step"))));
    book.self(
        "diagonal",
        c ->
            Call.of(
                "diagonal_backward",
                c.grad(),
                c.shape("self").toArray(),
                c.integer("offset"),
                c.integer("dim1"),
                c.integer("dim2")));
    book.add(
        "diagonal_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    Call.of(
                        "diagonal",
                        c.grad(),
                        c.integer("offset"),
                        c.integer("dim1"),
                        c.integer("dim2"))));
    book.self(
        "unfold",
        c ->
            Call.of(
                "unfold_backward",
                c.grad(),
                c.shape("self").toArray(),
                c.integer("dimension"),
                c.integer("size"),
                c.integer("step")));
    book.add(
        "unfold_backward",
        Derivative.of()
            .wrt(
                "grad_in",
                c ->
                    Call.of(
                        "unfold",
                        c.grad(),
                        c.integer("dim"),
                        c.integer("size"),
                        c.integer("step"))));
    book.self("as_strided", ViewFormulas::strided);
    book.self("split.Tensor", c -> parts(c, pieces(c), c.integer("dim")));
    book.self("split_with_sizes", c -> parts(c, c.integers("split_sizes"), c.integer("dim")));
    book.self("unbind.int", ViewFormulas::unbind);
  }

  private static long[] inverse(long[] order) {
    long[] inverse = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      inverse[(int) (order[i] < 0 ? order[i] + order.length : order[i])] = i;
    }
    return inverse;
  }

  private static Tensor slice(Derivative.Context c) {
    Long start = (Long) c.value("start");
    Long end = (Long) c.value("end");
    return Call.of(
        "slice_backward",
        c.grad(),
        c.shape("self").toArray(),
        c.integer("dim"),
        start == null ? 0L : start,
        end == null ? Long.MAX_VALUE : end,
        c.integer("step"));
  }

  private static Tensor strided(Derivative.Context c) {
    Long offset = (Long) c.value("storage_offset");
    long start = c.offset("self");
    return Geometry.stridedBackward(
        c.grad(),
        new Geometry(c.shape("self").toArray(), c.strides("self"), start),
        new Geometry(c.integers("size"), c.integers("stride"), offset == null ? start : offset));
  }

  private static long[] pieces(Derivative.Context c) {
    Shape shape = c.shape("self");
    long length = shape.size((int) c.integer("dim"));
    long each = Math.max(1, c.integer("split_size"));
    long[] sizes = new long[(int) Math.max(1, (length + each - 1) / each)];
    Arrays.fill(sizes, each);
    sizes[sizes.length - 1] = length - each * (sizes.length - 1);
    return sizes;
  }

  /** The parts' gradients one after the other; zeros for a part that nobody used. */
  private static Tensor parts(Derivative.Context c, long[] sizes, long dim) {
    Shape whole = c.shape("self");
    int d = TensorAccess.wrap(dim, whole.dims(), whole);
    Tensor like = any(c, sizes.length);
    List<Tensor> all = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      Tensor part = c.grad(i);
      if (part == null) {
        long[] shape = whole.toArray();
        shape[d] = sizes[i];
        part = Call.zeros(like, Shape.of(shape));
      }
      all.add(part);
    }
    return Call.cat(all, d);
  }

  private static Tensor unbind(Derivative.Context c) {
    Shape whole = c.shape("self");
    int d = TensorAccess.wrap(c.integer("dim"), whole.dims(), whole);
    int count = (int) whole.size(d);
    Tensor like = any(c, count);
    List<Tensor> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Tensor part = c.grad(i);
      all.add(Call.unsqueeze(part == null ? Call.zeros(like, like.shape()) : part, d));
    }
    return Call.cat(all, d);
  }

  private static Tensor any(Derivative.Context c, int count) {
    for (int i = 0; i < count; i++) {
      if (c.grad(i) != null) {
        return c.grad(i);
      }
    }
    throw new IllegalStateException("no gradient came");
  }
}
